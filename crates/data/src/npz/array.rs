//! The elements of a numpy array, as the numbers or texts they stand for.

use std::borrow::Cow;

use super::header::{Header, Kind, shape_text};
use crate::FormatError;

/// An array whose header has been checked against the bytes that are there.
pub(crate) struct Array<'a> {
    member: &'a str,
    header: Header,
    /// The elements in C order.
    data: Cow<'a, [u8]>,
}

impl<'a> Array<'a> {
    pub(crate) fn parse(member: &'a str, bytes: &'a [u8]) -> Result<Self, FormatError> {
        let header = Header::parse(member, bytes)?;
        if header.dtype.kind == Kind::Object {
            return Err(FormatError::Pickled { member: member.to_owned() });
        }
        let data = &bytes[header.start..];
        let data = if header.fortran && header.shape.len() > 1 {
            Cow::Owned(c_order(data, &header.shape, header.dtype.width))
        } else {
            Cow::Borrowed(data)
        };
        Ok(Self { member, header, data })
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    pub(crate) fn count(&self) -> usize {
        self.header.count
    }

    /// An error that names the shape.
    pub(crate) fn bad_shape(&self, wanted: &'static str) -> FormatError {
        FormatError::Shape {
            member: self.member.to_owned(),
            found: shape_text(self.shape()),
            wanted,
        }
    }

    fn bad_dtype(&self, wanted: &'static str) -> FormatError {
        FormatError::Dtype {
            member: self.member.to_owned(),
            found: self.header.dtype.text.clone(),
            wanted,
        }
    }

    fn bad_value(&self, found: String, index: usize, wanted: &'static str) -> FormatError {
        FormatError::Value { member: self.member.to_owned(), found, index, wanted }
    }

    /// Element `index` in little-endian order, widened with zeros.
    fn raw(&self, index: usize) -> [u8; 8] {
        let width = self.header.dtype.width;
        let mut raw = [0u8; 8];
        raw[..width].copy_from_slice(&self.data[index * width..(index + 1) * width]);
        if self.header.dtype.big_endian {
            raw[..width].reverse();
        }
        raw
    }

    fn float(&self, index: usize) -> f64 {
        let raw = self.raw(index);
        match self.header.dtype.width {
            2 => half(u16::from_le_bytes([raw[0], raw[1]])),
            4 => f64::from(f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]])),
            _ => f64::from_le_bytes(raw),
        }
    }

    fn integer(&self, index: usize) -> i128 {
        let bits = u64::from_le_bytes(self.raw(index));
        let unused = 64 - 8 * self.header.dtype.width as u32;
        match self.header.dtype.kind {
            Kind::Signed => i128::from(((bits << unused) as i64) >> unused),
            _ => i128::from(bits),
        }
    }

    /// Small whole numbers of any integer or float type, in `0..=most`.
    pub(crate) fn small(&self, most: u8, wanted: &'static str) -> Result<Vec<u8>, FormatError> {
        let kind = self.header.dtype.kind;
        (0..self.count())
            .map(|index| {
                let (value, text) = match kind {
                    Kind::Text | Kind::Wide | Kind::Object => {
                        return Err(self.bad_dtype("whole numbers"));
                    }
                    Kind::Float => {
                        let value = self.float(index);
                        let whole = (value.fract() == 0.0).then_some(value as i128);
                        (whole, value.to_string())
                    }
                    Kind::Bool | Kind::Signed | Kind::Unsigned => {
                        let value = self.integer(index);
                        (Some(value), value.to_string())
                    }
                };
                value
                    .and_then(|v| u8::try_from(v).ok())
                    .filter(|&v| v <= most)
                    .ok_or_else(|| self.bad_value(text, index, wanted))
            })
            .collect()
    }

    /// Grey values, 0 black to 255 white. Floats up to 1 count as fractions of
    /// white, as do booleans. Signed bytes are unsigned ones under a wrong name:
    /// white would not fit in them.
    pub(crate) fn grey(self) -> Result<Vec<u8>, FormatError> {
        const WANTED: &str = "grey values from 0 to 255";
        let dtype = &self.header.dtype;
        match dtype.kind {
            Kind::Unsigned | Kind::Signed if dtype.width == 1 => Ok(self.data.into_owned()),
            Kind::Bool => Ok(self.data.iter().map(|&b| if b == 0 { 0 } else { 255 }).collect()),
            Kind::Signed | Kind::Unsigned => self.small(255, WANTED),
            Kind::Float => {
                let mut most = 0.0f64;
                for index in 0..self.count() {
                    let value = self.float(index);
                    if !(0.0..=255.0).contains(&value) {
                        return Err(self.bad_value(value.to_string(), index, WANTED));
                    }
                    most = most.max(value);
                }
                let scale = if most <= 1.0 { 255.0 } else { 1.0 };
                Ok((0..self.count()).map(|i| (self.float(i) * scale).round() as u8).collect())
            }
            Kind::Text | Kind::Wide | Kind::Object => Err(self.bad_dtype(WANTED)),
        }
    }

    /// Texts, without the zeros that pad them.
    pub(crate) fn texts(&self) -> Result<Vec<String>, FormatError> {
        let width = self.header.dtype.width;
        let item = |index: usize| &self.data[index * width..(index + 1) * width];
        match self.header.dtype.kind {
            Kind::Text => Ok((0..self.count())
                .map(|i| String::from_utf8_lossy(item(i)).trim_end_matches('\0').to_owned())
                .collect()),
            Kind::Wide => (0..self.count())
                .map(|i| {
                    let mut text = String::new();
                    for letter in item(i).chunks_exact(4) {
                        let mut raw = [letter[0], letter[1], letter[2], letter[3]];
                        if self.header.dtype.big_endian {
                            raw.reverse();
                        }
                        let code = u32::from_le_bytes(raw);
                        text.push(char::from_u32(code).ok_or_else(|| {
                            self.bad_value(code.to_string(), i, "Unicode letters")
                        })?);
                    }
                    Ok(text.trim_end_matches('\0').to_owned())
                })
                .collect(),
            _ => Err(self.bad_dtype("text")),
        }
    }
}

/// Elements that were kept column by column, row by row.
fn c_order(data: &[u8], shape: &[usize], width: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut index = vec![0usize; shape.len()];
    for _ in 0..data.len().checked_div(width).unwrap_or(0) {
        let mut from = 0;
        for (&i, &n) in index.iter().zip(shape).rev() {
            from = from * n + i;
        }
        out.extend_from_slice(&data[from * width..(from + 1) * width]);
        for (i, &n) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < n {
                break;
            }
            *i = 0;
        }
    }
    out
}

/// A 16-bit float.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023) / 1024.0;
    sign * match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    }
}
