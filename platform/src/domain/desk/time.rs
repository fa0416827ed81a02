//! What happens because time passes, and what is picked up after a restart.

use super::super::answer::Answer;
use super::super::approval::{Approval, ApprovalState, Expired};
use super::super::call::{Call, Run, RunState};
use super::super::effect::{Effect, Sent};
use super::super::endpoint::{Endpoint, SyncState};
use super::super::limits::{CHECK_EVERY_MS, MOVE_MS};
use super::super::problem::{Code, Problem};
use super::super::records::{Order, Select};
use super::super::report::{LogType, Report, Setting};
use super::{About, Desk};

const EXECUTING: &[&str] = &[ApprovalState::Executing.as_str()];
const RUNNING: &[&str] = &[RunState::Running.as_str()];

impl Desk<'_> {
    /// Lets everything happen that was due by now, each at its own moment: requests expire, and the hourly check looks
    /// for what never reported back.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn settle(&mut self) -> Result<(), Problem> {
        let now = self.now_ms;
        let result = self.settle_until(now);
        self.now_ms = now;
        result
    }

    fn settle_until(&mut self, now: u64) -> Result<(), Problem> {
        loop {
            let expiry = self.next_expiry()?.map(|approval| approval.expires_ms);
            let check = self.next_check(now)?;
            match expiry {
                Some(at) if at <= now && at <= check => {
                    self.now_ms = at;
                    self.expire_due(at)?;
                }
                _ if check <= now => {
                    self.now_ms = check;
                    self.check(check)?;
                    // What is left began after this check, so the one after the next hour is soon enough; with nothing in
                    // flight, so is the first that is still to come.
                    let next = if self.anything_in_flight()? {
                        check.saturating_add(CHECK_EVERY_MS)
                    } else {
                        let hours = (now - check) / CHECK_EVERY_MS + 1;
                        check.saturating_add(hours.saturating_mul(CHECK_EVERY_MS))
                    };
                    self.set(Setting::NEXT_CHECK, next)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// When [`Desk::settle`] has something to do next, in Unix milliseconds of the movable clock.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn next_due_ms(&mut self) -> Result<u64, Problem> {
        let check = self.next_check(self.now_ms)?;
        let expiry = self.next_expiry()?.map_or(u64::MAX, |approval| approval.expires_ms);
        Ok(check.min(expiry))
    }

    fn next_expiry(&self) -> Result<Option<Approval>, Problem> {
        let select =
            Select { states: &ApprovalState::UNDECIDED, order: Order::Due, limit: 1, ..Select::default() };
        Ok(self.find::<Approval>(&select)?.pop())
    }

    fn expire_due(&mut self, at: u64) -> Result<(), Problem> {
        let select = Select {
            states: &ApprovalState::UNDECIDED,
            due_by_ms: Some(at),
            order: Order::Due,
            ..Select::default()
        };
        for approval in self.find::<Approval>(&select)? {
            self.expire(approval, Expired::Unanswered)?;
        }
        Ok(())
    }

    /// Fails what has been out for 10 minutes.
    fn check(&mut self, at: u64) -> Result<(), Problem> {
        let out = |states| Select { states, due_by_ms: Some(at), order: Order::Due, ..Select::default() };
        for approval in self.find::<Approval>(&out(EXECUTING))? {
            self.approval_never_reported(approval)?;
        }
        for run in self.find::<Run>(&out(RUNNING))? {
            self.run_never_reported(run)?;
        }
        Ok(())
    }

    fn anything_in_flight(&self) -> Result<bool, Problem> {
        use super::super::records::Table;
        let of = |states| Select { states, ..Select::default() };
        Ok(self.records.count(Table::Approval, &of(EXECUTING))? > 0
            || self.records.count(Table::Run, &of(RUNNING))? > 0)
    }

    /// The first check is an hour after the stand-in first ran.
    fn next_check(&mut self, now: u64) -> Result<u64, Problem> {
        if let Some(setting) = self.get::<Setting>(Setting::NEXT_CHECK)? {
            return Ok(setting.value);
        }
        let next = now.saturating_add(CHECK_EVERY_MS);
        self.set(Setting::NEXT_CHECK, next)?;
        Ok(next)
    }

    fn set(&mut self, name: &str, value: u64) -> Result<(), Problem> {
        self.put(&Setting { name: name.to_owned(), value })
    }

    /// How far the movable clock is ahead of the real one, in milliseconds.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn clock_ahead_ms(&self) -> Result<u64, Problem> {
        Ok(self.get::<Setting>(Setting::AHEAD)?.map_or(0, |setting| setting.value))
    }

    /// Moves the clock forward, and lets happen what is due by then. Signatures and the time limits of HTTP stay on the
    /// real clock.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidRequest`] for more than 366 days.
    pub fn move_clock(&mut self, by_ms: u64) -> Result<u64, Problem> {
        if by_ms > MOVE_MS {
            let message = format!("The clock moves by at most {MOVE_MS} ms at once, which is 366 days.");
            return Err(Problem::new(Code::InvalidRequest, message));
        }
        let ahead = self.clock_ahead_ms()?.saturating_add(by_ms);
        self.set(Setting::AHEAD, ahead)?;
        self.now_ms = self.now_ms.saturating_add(by_ms);
        let text = format!("The clock was moved forward by {by_ms} ms.");
        self.log(LogType::System, "clock.moved", &About::default(), text)?;
        self.settle()?;
        Ok(ahead)
    }

    /// Picks up after a restart. Syncs and reviews begin again, since asking twice does no harm, and alerts that may not have
    /// gone out. No call is sent again:
    /// one of the agent's is not answered any more, and what was approved or run by a teammate waits for the hourly check.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn resume(&mut self) -> Result<(), Problem> {
        self.settle()?;
        for mut endpoint in self.all_endpoints()? {
            if let SyncState::Syncing { since_ms, .. } = endpoint.sync {
                let attempt = self.id("sync_");
                endpoint.sync = SyncState::Syncing { since_ms, attempt: attempt.clone() };
                self.put::<Endpoint>(&endpoint)?;
                self.effects.push(Effect::Sync { endpoint: endpoint.id, url: endpoint.url, attempt });
            }
        }
        let reviewing = [ApprovalState::Reviewing.as_str()];
        for approval in self.find::<Approval>(&Select { states: &reviewing, ..Select::default() })? {
            self.effects.push(Effect::Review { approval: approval.id });
        }
        self.alert_again()?;
        let gone =
            Answer::None { why: "The stand-in was restarted while the call was on its way.".to_owned() };
        for call in self.find::<Call>(&Select { states: &["sent"], ..Select::default() })? {
            self.answered(&Sent::Call(call.id), &gone)?;
        }
        for report in self.find::<Report>(&Select { states: &["waiting"], ..Select::default() })? {
            let asked: Vec<_> =
                report.diagnostics.iter().map(|diagnosis| diagnosis.endpoint.clone()).collect();
            for endpoint in asked {
                let gone = Answer::None { why: "The stand-in was restarted meanwhile.".to_owned() };
                self.diagnosed(&report.id, &endpoint, &gone)?;
            }
        }
        Ok(())
    }
}
