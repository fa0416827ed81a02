//! Reports with diagnostics, and alerts.

use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::ToSchema;

use super::super::answer::{self, Answer};
use super::super::approval::Approval;
use super::super::effect::Effect;
use super::super::endpoint::shown_url;
use super::super::problem::Problem;
use super::super::records::Select;
use super::super::report::{Alert, Diagnosis, DiagnosisState, LogType, Report};
use super::super::text::told;
use super::conversations::page;
use super::{About, Desk};

/// A report that somebody files.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReport {
    /// What went wrong.
    pub text: String,
    /// The conversation, when it comes from one.
    pub conversation: Option<String>,
    /// What the page collected.
    #[serde(default)]
    pub page: BTreeMap<String, String>,
}

impl Desk<'_> {
    /// Files a report, and asks every endpoint for diagnostics whose manifest says that it answers them. It is filed
    /// whatever they say.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidRequest`](super::super::problem::Code::InvalidRequest) for no text,
    /// [`Code::NotFound`](super::super::problem::Code::NotFound) for the conversation.
    pub fn report(&mut self, new: NewReport) -> Result<Report, Problem> {
        let text = told("The report", new.text)?;
        let page = page(new.page)?;
        let conversation = new.conversation.map(|id| self.conversation_of(&id)).transpose()?;
        let asked = self.all_endpoints()?.into_iter();
        let asked = asked.filter(|endpoint| endpoint.synced.as_ref().is_some_and(|good| good.diagnostics));
        let waiting = |endpoint: super::Endpoint| Diagnosis {
            endpoint: endpoint.id,
            url: endpoint.url,
            state: DiagnosisState::Waiting,
            text: String::new(),
            cut: false,
        };
        let report = Report {
            id: self.id("report_"),
            conversation: conversation.map(|conversation| conversation.id),
            at_ms: self.now_ms,
            text,
            page,
            diagnostics: asked.map(waiting).collect(),
        };
        self.put(&report)?;
        let about =
            About { conversation: report.conversation.as_deref(), id: Some(&report.id), ..About::default() };
        let count = report.diagnostics.len();
        self.log(
            LogType::Reports,
            "report.filed",
            &about,
            format!("A report was filed; {count} endpoints are asked."),
        )?;
        for diagnosis in &report.diagnostics {
            let (endpoint, url) = (diagnosis.endpoint.clone(), diagnosis.url.clone());
            self.effects.push(Effect::Diagnose { report: report.id.clone(), endpoint, url });
        }
        Ok(report)
    }

    /// Takes what an endpoint said about itself.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`](super::super::problem::Code::StorageFailed).
    pub fn diagnosed(&mut self, report: &str, endpoint: &str, answer: &Answer) -> Result<(), Problem> {
        let Some(mut report) = self.get::<Report>(report)? else { return Ok(()) };
        let waiting = |diagnosis: &&mut Diagnosis| {
            diagnosis.endpoint == endpoint && diagnosis.state == DiagnosisState::Waiting
        };
        let Some(diagnosis) = report.diagnostics.iter_mut().find(waiting) else { return Ok(()) };
        match answer::read_diagnostics(answer) {
            Ok((text, cut)) => {
                (diagnosis.state, diagnosis.text, diagnosis.cut) = (DiagnosisState::Answered, text, cut);
            }
            Err(why) => (diagnosis.state, diagnosis.text) = (DiagnosisState::Failed, why),
        }
        let url = shown_url(&diagnosis.url);
        let (event, text) = match diagnosis.state {
            DiagnosisState::Answered => ("diagnostics.answered", format!("{url} answered diagnostics.")),
            _ => ("diagnostics.failed", format!("{url} gave no diagnostics: {}", diagnosis.text)),
        };
        self.put(&report)?;
        let about = About { endpoint: Some(endpoint), id: Some(&report.id), ..About::default() };
        self.log(LogType::Reports, event, &about, text)
    }

    /// Tells the team about a request.
    pub(super) fn alert(&mut self, approval: &Approval, text: String) -> Result<(), Problem> {
        let alert = Alert {
            id: self.id("alert_"),
            at_ms: self.now_ms,
            approval: approval.id.clone(),
            conversation: approval.conversation.clone(),
            tool: approval.tool.clone(),
            text,
            delivered: None,
        };
        self.put(&alert)?;
        let about = About {
            endpoint: Some(&approval.endpoint),
            tool: Some(&alert.tool),
            conversation: Some(&alert.conversation),
            id: Some(&alert.approval),
        };
        self.log(LogType::Alerts, "alert", &about, alert.text.clone())?;
        self.effects.push(Effect::Deliver(alert));
        Ok(())
    }

    /// Lets those alerts out again of which nobody knows whether the webhook took them, for as long as there is something to
    /// decide. Without a webhook that is all of them, and they reach nobody now as before.
    pub(super) fn alert_again(&mut self) -> Result<(), Problem> {
        for alert in self.find::<Alert>(&Select { states: &[Alert::RECORDED], ..Select::default() })? {
            if self.get::<Approval>(&alert.approval)?.is_some_and(|approval| approval.state.is_undecided()) {
                self.effects.push(Effect::Deliver(alert));
            }
        }
        Ok(())
    }

    /// Notes whether the webhook took an alert.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`](super::super::problem::Code::StorageFailed).
    pub fn delivered(&mut self, alert: &str, problem: Option<&str>) -> Result<(), Problem> {
        let Some(mut alert) = self.get::<Alert>(alert)? else { return Ok(()) };
        alert.delivered = Some(problem.is_none());
        self.put(&alert)?;
        let about = About {
            tool: Some(&alert.tool),
            conversation: Some(&alert.conversation),
            id: Some(&alert.id),
            ..About::default()
        };
        let (event, text) = match problem {
            None => ("alert.delivered", "The webhook took the alert.".to_owned()),
            Some(why) => ("alert.failed", format!("The webhook did not take the alert: {why}")),
        };
        self.log(LogType::Alerts, event, &about, text)
    }
}
