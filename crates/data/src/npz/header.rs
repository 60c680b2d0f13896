//! The text header of a numpy array.

use crate::{FormatError, limits};

/// Element types of numpy that a puzzle can be kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// Bytes, padded with zeros.
    Text,
    /// Unicode of four bytes a letter, padded with zeros.
    Wide,
    Object,
}

/// An element type with its width and byte order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dtype {
    pub(super) kind: Kind,
    /// Bytes of one element.
    pub(super) width: usize,
    pub(super) big_endian: bool,
    /// As the file writes it.
    pub(super) text: String,
}

/// What the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) fortran: bool,
    pub(super) shape: Vec<usize>,
    /// How many elements the shape has.
    pub(super) count: usize,
    /// Where the elements begin.
    pub(super) start: usize,
}

pub(super) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

impl Header {
    pub(super) fn parse(member: &str, bytes: &[u8]) -> Result<Self, FormatError> {
        let not =
            |what: &str| FormatError::NotNpy { member: member.to_owned(), what: what.to_owned() };
        if bytes.get(..6) != Some(b"\x93NUMPY") {
            return Err(not("it does not begin with \\x93NUMPY"));
        }
        let major = *bytes.get(6).ok_or_else(|| not("it breaks off"))?;
        let (length, at) = match (major, bytes.get(8..10), bytes.get(8..12)) {
            (1, Some(&[a, b]), _) => (u64::from(u16::from_le_bytes([a, b])), 10),
            (2 | 3, _, Some(&[a, b, c, d])) => (u64::from(u32::from_le_bytes([a, b, c, d])), 12),
            (1..=3, ..) => return Err(not("it breaks off")),
            _ => return Err(not("its version is not 1, 2 or 3")),
        };
        if length > limits::NPY_HEADER_BYTES {
            return Err(FormatError::NpyHeaderTooLong {
                member: member.to_owned(),
                found: length,
                limit: limits::NPY_HEADER_BYTES,
            });
        }
        let start = at + length as usize;
        let text = bytes.get(at..start).ok_or_else(|| not("its header breaks off"))?;
        let text = std::str::from_utf8(text).map_err(|_| not("its header is not text"))?;
        let fields = Fields::parse(text).map_err(|what| not(&what))?;

        let dtype = Dtype::parse(&fields.descr).ok_or_else(|| FormatError::Dtype {
            member: member.to_owned(),
            found: fields.descr.clone(),
            wanted: "numbers or text",
        })?;
        let count = fields.shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n));
        let size = count.and_then(|n| n.checked_mul(dtype.width));
        let (Some(count), Some(size)) = (count, size) else {
            return Err(FormatError::ShapeOverflow {
                member: member.to_owned(),
                shape: shape_text(&fields.shape),
            });
        };
        let found = bytes.len() - start;
        if dtype.kind != Kind::Object && size != found {
            return Err(FormatError::ShapeSize {
                member: member.to_owned(),
                shape: shape_text(&fields.shape),
                dtype: dtype.text.clone(),
                wanted: size as u64,
                found: found as u64,
            });
        }
        Ok(Self { dtype, fortran: fields.fortran, shape: fields.shape, count, start })
    }
}

impl Dtype {
    fn parse(text: &str) -> Option<Self> {
        let (order, rest) = match text.as_bytes().first()? {
            b'<' | b'>' | b'|' | b'=' => text.split_at(1),
            _ => ("|", text),
        };
        let (letter, width) = rest.split_at_checked(1)?;
        let kind = match letter {
            "b" => Kind::Bool,
            "i" => Kind::Signed,
            "u" => Kind::Unsigned,
            "f" => Kind::Float,
            "S" | "a" => Kind::Text,
            "U" => Kind::Wide,
            "O" => Kind::Object,
            _ => return None,
        };
        let width: usize = match (kind, width) {
            (Kind::Object, _) => 8,
            (_, digits) if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
            _ => return None,
        };
        let width = match (kind, width) {
            (Kind::Bool, 1)
            | (Kind::Signed | Kind::Unsigned, 1 | 2 | 4 | 8)
            | (Kind::Float, 2 | 4 | 8)
            | (Kind::Object, _) => width,
            (Kind::Text, n) if (1..=4096).contains(&n) => n,
            (Kind::Wide, n) if (1..=1024).contains(&n) => n * 4,
            _ => return None,
        };
        Some(Self { kind, width, big_endian: order == ">", text: text.to_owned() })
    }
}

/// The three entries of the Python dictionary in a header.
struct Fields {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

impl Fields {
    fn parse(text: &str) -> Result<Self, String> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        let mut rest = text.trim().strip_prefix('{').ok_or("its header is not a dictionary")?;
        loop {
            rest = rest.trim_start_matches([' ', ',']);
            if let Some(tail) = rest.strip_prefix('}') {
                if !tail.is_empty() {
                    return Err("something follows its header".to_owned());
                }
                break;
            }
            let (key, tail) = quoted(rest).ok_or("its header has an entry without a name")?;
            rest = tail.trim_start().strip_prefix(':').ok_or("its header has no value")?;
            rest = rest.trim_start();
            let twice = match key {
                "descr" => {
                    let (value, tail) =
                        quoted(rest).ok_or("it has an element type of several fields")?;
                    rest = tail;
                    descr.replace(value.to_owned()).is_some()
                }
                "fortran_order" => {
                    let (value, tail) = if let Some(tail) = rest.strip_prefix("True") {
                        (true, tail)
                    } else if let Some(tail) = rest.strip_prefix("False") {
                        (false, tail)
                    } else {
                        return Err("its fortran_order is neither True nor False".to_owned());
                    };
                    rest = tail;
                    fortran.replace(value).is_some()
                }
                "shape" => {
                    let (inside, tail) = rest
                        .strip_prefix('(')
                        .and_then(|inside| inside.split_once(')'))
                        .ok_or("its shape is not a tuple")?;
                    rest = tail;
                    shape.replace(dimensions(inside)?).is_some()
                }
                _ => return Err(format!("its header has an unknown entry `{key}`")),
            };
            if twice {
                return Err(format!("its header has two entries `{key}`"));
            }
        }
        Ok(Self {
            descr: descr.ok_or("its header has no descr")?,
            fortran: fortran.ok_or("its header has no fortran_order")?,
            shape: shape.ok_or("its header has no shape")?,
        })
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|&c| c == '\'' || c == '"')?;
    text[1..].split_once(quote)
}

fn dimensions(inside: &str) -> Result<Vec<usize>, String> {
    let mut shape = Vec::new();
    for piece in inside.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        // Python 2 marked long numbers with an L.
        let digits = piece.strip_suffix('L').unwrap_or(piece);
        let size = digits
            .parse()
            .ok()
            .filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
            .ok_or_else(|| format!("its shape has a dimension of {}", shortened(piece)))?;
        shape.push(size);
        if shape.len() > limits::NPY_DIMENSIONS {
            return Err(format!("its shape has more than {} dimensions", limits::NPY_DIMENSIONS));
        }
    }
    Ok(shape)
}

fn shortened(text: &str) -> String {
    text.chars().take(24).collect()
}
