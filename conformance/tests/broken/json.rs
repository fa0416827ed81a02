//! JSON for a server that has to see duplicates, halves of surrogate pairs and numbers that are too large. It has
//! nothing in common with the library's own reader.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    /// The text, and whether half of a surrogate pair was in it.
    Text(String, bool),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// What a lenient parser takes.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // One for each fault.
pub(crate) struct Lenient {
    pub(crate) not_a_number: bool,
    pub(crate) rest: bool,
    pub(crate) comma: bool,
    pub(crate) control: bool,
    /// The depth that it gives up at, when it is another.
    pub(crate) depth: Option<usize>,
}

const DEEPEST: usize = 20_000;

impl Json {
    pub(crate) fn parse(text: &str, lenient: Lenient) -> Option<Self> {
        let mut parser = Parser { source: text, bytes: text.as_bytes(), at: 0, lenient };
        let value = parser.value(lenient.depth.unwrap_or(DEEPEST))?;
        parser.blanks();
        (lenient.rest || parser.at == parser.bytes.len()).then_some(value)
    }

    pub(crate) fn members(&self) -> Option<&[(String, Json)]> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        self.members()?.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value)
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.members().unwrap_or_default().iter().filter(|(n, _)| n == name).count()
    }
}

struct Parser<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    lenient: Lenient,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, text: &str) -> Option<()> {
        let is_there = self.bytes[self.at..].starts_with(text.as_bytes());
        is_there.then(|| self.at += text.len())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.blanks();
        match self.peek()? {
            _ if depth == 0 => None,
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => self.text().map(|(text, half)| Json::Text(text, half)),
            b't' => self.eat("true").map(|()| Json::Bool(true)),
            b'f' => self.eat("false").map(|()| Json::Bool(false)),
            b'n' => self.eat("null").map(|()| Json::Null),
            b'N' if self.lenient.not_a_number => self.eat("NaN").map(|()| Json::Number(f64::NAN)),
            b'I' if self.lenient.not_a_number => self.eat("Infinity").map(|()| Json::Number(f64::INFINITY)),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.at += 1;
        let mut members = Vec::new();
        self.blanks();
        if self.eat("}").is_some() {
            return Some(Json::Object(members));
        }
        loop {
            self.blanks();
            if self.lenient.comma && self.eat("}").is_some() {
                return Some(Json::Object(members));
            }
            let (name, _) = if self.peek()? == b'"' { self.text()? } else { return None };
            self.blanks();
            self.eat(":")?;
            members.push((name, self.value(depth - 1)?));
            self.blanks();
            if self.eat("}").is_some() {
                return Some(Json::Object(members));
            }
            self.eat(",")?;
        }
    }

    fn list(&mut self, depth: usize) -> Option<Json> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.eat("]").is_some() {
            return Some(Json::List(items));
        }
        loop {
            items.push(self.value(depth - 1)?);
            self.blanks();
            if self.eat("]").is_some() {
                return Some(Json::List(items));
            }
            self.eat(",")?;
        }
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        if self.lenient.not_a_number && self.bytes[start..].starts_with(b"-Infinity") {
            self.at = start + "-Infinity".len();
            return Some(Json::Number(f64::NEG_INFINITY));
        }
        // Rust reads 1e999 as infinity.
        std::str::from_utf8(&self.bytes[start..self.at]).ok()?.parse().ok().map(Json::Number)
    }

    fn text(&mut self) -> Option<(String, bool)> {
        self.at += 1;
        let (mut text, mut half) = (String::new(), false);
        loop {
            let c = self.source[self.at..].chars().next()?;
            self.at += c.len_utf8();
            match c {
                '"' => return Some((text, half)),
                '\\' => {
                    let escape = self.peek()?;
                    self.at += 1;
                    match escape {
                        b'u' => match self.unit()? {
                            high @ 0xd800..=0xdbff if self.bytes[self.at..].starts_with(b"\\u") => {
                                self.at += 2;
                                let low = self.unit()?;
                                let pair = char::decode_utf16([high, low]).map(|c| c.unwrap_or('\u{fffd}'));
                                let before = text.chars().count();
                                text.extend(pair);
                                half |= text.chars().count() - before > 1;
                            }
                            unit => match char::from_u32(u32::from(unit)) {
                                Some(c) => text.push(c),
                                None => {
                                    half = true;
                                    text.push('\u{fffd}');
                                }
                            },
                        },
                        b'n' => text.push('\n'),
                        b't' => text.push('\t'),
                        b'r' => text.push('\r'),
                        b'b' => text.push('\u{8}'),
                        b'f' => text.push('\u{c}'),
                        b'"' | b'\\' | b'/' => text.push(char::from(escape)),
                        _ => return None,
                    }
                }
                c if c < ' ' && !self.lenient.control => return None,
                c => text.push(c),
            }
        }
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }
}
