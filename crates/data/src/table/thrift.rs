//! The structures in which parquet files describe themselves (thrift, compact form): just enough
//! to look at some numbers and to pass over all else.

/// Structures and lists within each other that are followed.
const DEPTH: u32 = 16;

/// Bytes that are being read; everything is `None` where they break off or make no sense.
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What a field holds, as far as its length goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is said with the kind itself.
    Bool,
    /// One byte.
    Byte,
    /// A number in as many bytes as it needs.
    Number,
    /// Eight bytes.
    Double,
    /// A length and as many bytes.
    Bytes,
    /// A number of values of one kind.
    List,
    /// Fields of its own.
    Struct,
}

impl Kind {
    fn of(code: u8) -> Option<Self> {
        Some(match code {
            1 | 2 => Self::Bool,
            3 => Self::Byte,
            4..=6 => Self::Number,
            7 => Self::Double,
            8 => Self::Bytes,
            9 | 10 => Self::List,
            12 => Self::Struct,
            _ => return None,
        })
    }
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Reads a structure. `each` hears of every field; where it says `false`, it has read nothing,
    /// and the field is passed over.
    pub(super) fn fields(
        &mut self,
        each: &mut dyn FnMut(&mut Self, i64, Kind) -> Option<bool>,
    ) -> Option<()> {
        self.fields_within(DEPTH, each)
    }

    fn fields_within(
        &mut self,
        depth: u32,
        each: &mut dyn FnMut(&mut Self, i64, Kind) -> Option<bool>,
    ) -> Option<()> {
        let mut id = 0i64;
        loop {
            let head = self.byte()?;
            if head & 15 == 0 {
                return Some(());
            }
            id = match head >> 4 {
                0 => self.number()?,
                step => id.checked_add(i64::from(step))?,
            };
            let kind = Kind::of(head & 15)?;
            if !each(self, id, kind)? {
                self.pass(kind, depth)?;
            }
        }
    }

    /// The length of a list and what it holds.
    pub(super) fn list(&mut self) -> Option<(u64, Kind)> {
        let head = self.byte()?;
        if head == 0 {
            return Some((0, Kind::Byte));
        }
        let count = match head >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        Some((count, Kind::of(head & 15)?))
    }

    /// A whole number.
    pub(super) fn number(&mut self) -> Option<i64> {
        let zigzag = self.varint()?;
        Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    fn advance(&mut self, count: u64) -> Option<()> {
        let to = self.at.checked_add(usize::try_from(count).ok()?)?;
        self.at = to;
        (to <= self.bytes.len()).then_some(())
    }

    fn pass(&mut self, kind: Kind, depth: u32) -> Option<()> {
        let below = depth.checked_sub(1)?;
        match kind {
            Kind::Bool => Some(()),
            Kind::Byte => self.advance(1),
            Kind::Number => self.varint().map(drop),
            Kind::Double => self.advance(8),
            Kind::Bytes => {
                let count = self.varint()?;
                self.advance(count)
            }
            Kind::List => {
                let (count, kind) = self.list()?;
                // In a list, what is true or false has a byte of its own.
                let kind = if kind == Kind::Bool { Kind::Byte } else { kind };
                (0..count).try_for_each(|_| self.pass(kind, below))
            }
            Kind::Struct => self.fields_within(below, &mut |_, _, _| Some(false)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{1: 5, 2: "ab", 3: [true, false], 4: {1: 1.0}, 100: -3}`.
    const BYTES: [u8; 27] = [
        0x15, 10, 0x18, 2, b'a', b'b', 0x19, 0x21, 1, 2, 0x1c, 0x17, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f,
        0, 0x05, 0xc8, 1, 5, 0, 0xff,
    ];

    fn numbers(bytes: &[u8]) -> Option<(Vec<(i64, i64)>, usize)> {
        let mut found = Vec::new();
        let mut thrift = Thrift::new(bytes);
        thrift.fields(&mut |thrift, id, kind| {
            if kind == Kind::Number {
                found.push((id, thrift.number()?));
            }
            Some(kind == Kind::Number)
        })?;
        Some((found, thrift.position()))
    }

    #[test]
    fn numbers_are_read_and_all_else_is_passed_over() {
        assert_eq!(numbers(&BYTES), Some((vec![(1, 5), (100, -3)], 26)));
    }

    #[test]
    fn what_breaks_off_or_is_nested_too_deep_is_nothing() {
        for length in 0..26 {
            assert_eq!(numbers(&BYTES[..length]), None, "{length}");
        }
        assert_eq!(numbers(&[0x1c; 1000]), None, "structures within structures");
        assert_eq!(numbers(&[[0x19, 0x19].as_slice(), &[0x19; 1000]].concat()), None, "lists");
        assert_eq!(numbers(&[0x18, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0]), None);
        assert_eq!(numbers(&[0x19, 0xf3, 255, 255, 255, 255, 15]), None, "a list without values");
        assert_eq!(numbers(&[0x1b, 0]), None, "parquet has no maps");
    }
}
