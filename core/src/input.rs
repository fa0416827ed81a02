//! A tool's input: an object's text on its way to being checked values.
//!
//! `Input` is text, [`Fields`] are its values by declaration, [`Checked`] says that nothing in it is left unread. Only
//! who holds a `Checked` gets past the gate, so no tool can run on an input that was not checked.

use alloc::borrow::Cow;
use alloc::collections::BinaryHeap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Code, Fault};
use crate::field::{Field, FieldSpec, Raw};
use crate::json::{self, Type};
use crate::limits::MAX_FIELDS;
use crate::outcome::Stop;
use crate::text::{Quoted, list};

/// The input of a call: its members' names, and the values' own text.
#[derive(Debug)]
pub(crate) struct Input<'c>(Vec<(Cow<'c, [u8]>, &'c str)>);

/// The values of an input, beside the fields they are for.
#[derive(Debug)]
pub struct Fields<'c> {
    specs: &'c [FieldSpec],
    values: [Option<&'c str>; MAX_FIELDS],
    /// The first member that is no field.
    unknown: Option<String>,
}

/// An input of which every member has been read and checked.
#[derive(Debug)]
pub struct Checked(());

impl<'c> Input<'c> {
    /// Each text is that of a JSON value.
    pub(crate) fn new(members: Vec<(Cow<'c, [u8]>, &'c str)>) -> Self {
        Self(members)
    }

    /// Sorts the values into the fields that a tool declares.
    ///
    /// # Errors
    ///
    /// When a member is there twice.
    pub(crate) fn sort_into<'f>(&'f self, fields: &mut Fields<'f>) -> Result<(), Fault> {
        const _: () = assert!(MAX_FIELDS <= 32, "a bit for each field");
        let mut seen = 0_u32;
        let mut unknown = Vec::new();
        for (name, value) in &self.0 {
            let mut places = fields.specs.iter().zip(&mut fields.values).enumerate();
            let Some((place, (_, slot))) = places.find(|(_, (spec, _))| spec.name.as_bytes() == &**name)
            else {
                unknown.push(&**name);
                continue;
            };
            if seen & (1 << place) != 0 {
                return Err(duplicate(name));
            }
            seen |= 1 << place;
            *slot = (Type::of(value) != Type::Null).then_some(*value);
        }
        fields.unknown = unknown.first().map(|name| json::with_replacements(name));
        // Sorted, what is there twice stands side by side.
        let mut sorted = BinaryHeap::from(unknown);
        let mut last = None;
        while let Some(name) = sorted.pop() {
            if last == Some(name) {
                return Err(duplicate(name));
            }
            last = Some(name);
        }
        Ok(())
    }

    /// Looks for a member that is there twice, when there is no tool to sort the values by.
    ///
    /// # Errors
    ///
    /// When there is one.
    pub(crate) fn check_members(&self) -> Result<(), Fault> {
        self.sort_into(&mut Fields::new(&[]))
    }
}

impl<'c> Fields<'c> {
    /// The fields that a tool declares, still without values.
    pub(crate) fn new(specs: &'c [FieldSpec]) -> Self {
        Self { specs, values: [None; MAX_FIELDS], unknown: None }
    }

    /// Reads the field at a place of the declaration.
    ///
    /// # Errors
    ///
    /// When it is missing or does not fit: the message names the field, for the agent to read.
    pub fn take<T: Field>(&self, place: usize) -> Result<T, Stop> {
        let (spec, value) = self.at(place)?;
        match value {
            Some(text) => T::parse(Raw::new(text, spec)).map_err(|mismatch| invalid(spec, &mismatch)),
            None => T::absent().ok_or_else(|| missing(spec)),
        }
    }

    /// Checks every field in the order of its declaration, without keeping what they hold.
    ///
    /// # Errors
    ///
    /// As [`Fields::take`].
    pub(crate) fn check_all(&self) -> Result<(), Stop> {
        for (spec, value) in self.specs.iter().zip(self.values) {
            match value {
                Some(text) => Raw::new(text, spec).check().map_err(|mismatch| invalid(spec, &mismatch))?,
                None if spec.required => return Err(missing(spec)),
                None => {}
            }
        }
        Ok(())
    }

    /// Refuses what is no field, once every field has been read.
    ///
    /// # Errors
    ///
    /// Names the first member that the tool does not declare.
    pub fn finish(&self) -> Result<Checked, Stop> {
        let Some(name) = &self.unknown else {
            return Ok(Checked(()));
        };
        let fields = list(", ", self.specs.iter().map(|spec| &*spec.name));
        Err(Stop::InvalidInput(match self.specs {
            [] => {
                format!("{} is not a field of this tool, which takes no input. Leave it out.", Quoted(name))
            }
            _ => format!("{} is not a field of this tool. Its fields are: {fields}.", Quoted(name)),
        }))
    }

    fn at(&self, place: usize) -> Result<(&FieldSpec, Option<&str>), Stop> {
        match (self.specs.get(place), self.values.get(place)) {
            (Some(spec), Some(value)) => Ok((spec, *value)),
            _ => Err(Stop::undeclared(place)),
        }
    }
}

fn duplicate(name: &[u8]) -> Fault {
    let name = json::with_replacements(name);
    Fault::new(Code::InvalidBody, format!("input has {} twice. Send each member once.", Quoted(&name)))
}

// Each field of each tool can be missing or not fit: one copy of the words serves them all.
#[inline(never)]
fn missing(spec: &FieldSpec) -> Stop {
    Stop::InvalidInput(format!("{} is missing; it must be {}.", spec.name, spec.expected()))
}

#[inline(never)]
fn invalid(spec: &FieldSpec, mismatch: &crate::field::Mismatch) -> Stop {
    Stop::InvalidInput(format!("{} {mismatch}.", spec.name))
}
