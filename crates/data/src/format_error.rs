//! Everything that can be wrong with the content of a file.

use thiserror::Error;

/// One way in which a file is not what it should be. The file's name is told
/// by [`DataError::Bad`](crate::DataError::Bad).
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[non_exhaustive]
pub enum FormatError {
    /// A file above the size that a puzzle can have.
    #[error("{found} bytes, more than the {limit} that a {what} may have")]
    FileTooLarge {
        /// What it should be.
        what: &'static str,
        /// Its size.
        found: u64,
        /// The limit.
        limit: u64,
    },

    /// Not a zip archive, or one that breaks off.
    #[error("not a whole zip archive: {0}")]
    NotZip(&'static str),
    /// More members than any puzzle has.
    #[error("{found} members, more than {limit}")]
    TooManyMembers {
        /// How many there are.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// A member whose name points elsewhere.
    #[error("member `{member}`: the name leaves the archive")]
    MemberPath {
        /// Its name.
        member: String,
    },
    /// Two members of one name.
    #[error("member `{member}` is there twice")]
    DuplicateMember {
        /// Its name.
        member: String,
    },
    /// A member that is encrypted.
    #[error("member `{member}` is encrypted")]
    Encrypted {
        /// Its name.
        member: String,
    },
    /// A member that is a link to another file.
    #[error("member `{member}` is a symbolic link")]
    Symlink {
        /// Its name.
        member: String,
    },
    /// A member packed by another method than store or deflate.
    #[error(
        "member `{member}`: compression method {method}, only stored (0) and deflate (8) are known"
    )]
    Method {
        /// Its name.
        member: String,
        /// The method's number.
        method: u16,
    },
    /// A member that its two headers describe differently.
    #[error("member `{member}`: its own header and the directory disagree on {what}")]
    HeadersDisagree {
        /// Its name.
        member: String,
        /// On what.
        what: &'static str,
    },
    /// A member that shares its bytes with another.
    #[error("member `{member}` overlaps another")]
    Overlap {
        /// Its name.
        member: String,
    },
    /// A member that unpacks to more than a puzzle needs.
    #[error("member `{member}` would unpack to {found} bytes, more than {limit}")]
    MemberTooLarge {
        /// Its name.
        member: String,
        /// What it claims.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// A member that is packed tighter than any picture.
    #[error(
        "member `{member}` would unpack {packed} bytes to {found}: more than {limit} times as many"
    )]
    Ratio {
        /// Its name.
        member: String,
        /// Packed size.
        packed: u64,
        /// What it claims to unpack to.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// A member whose packed bytes are damaged.
    #[error("member `{member}` is damaged: {what}")]
    Damaged {
        /// Its name.
        member: String,
        /// How.
        what: &'static str,
    },
    /// A member that must be there.
    #[error("no member `{member}`; there are: {found}")]
    MissingMember {
        /// Its name.
        member: &'static str,
        /// The names that are there.
        found: String,
    },

    /// Not a tar archive, or one that breaks off.
    #[error("not a whole tar archive: {0}")]
    NotTar(String),
    /// A member of an archive that is no plain file.
    #[error("member `{member}` is {kind}, only plain files are read")]
    MemberKind {
        /// Its name.
        member: String,
        /// What it is.
        kind: &'static str,
    },
    /// An archive that is packed tighter than any of puzzles.
    #[error("{packed} bytes of it unpack to {found}: more than {limit} times as many")]
    ArchiveRatio {
        /// Bytes that were read.
        packed: u64,
        /// What they unpacked to.
        found: u64,
        /// The limit.
        limit: u64,
    },

    /// A `.npy` array that is not one.
    #[error("member `{member}` is not an npy array: {what}")]
    NotNpy {
        /// Its name.
        member: String,
        /// Why not.
        what: String,
    },
    /// A `.npy` header that is longer than any honest one.
    #[error("member `{member}`: an npy header of {found} bytes, more than {limit}")]
    NpyHeaderTooLong {
        /// Its name.
        member: String,
        /// What it claims.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// A shape whose product does not fit any memory.
    #[error("member `{member}`: the shape {shape} overflows")]
    ShapeOverflow {
        /// Its name.
        member: String,
        /// The shape.
        shape: String,
    },
    /// A shape that promises more or less than the member holds.
    #[error("member `{member}`: shape {shape} of {dtype} needs {wanted} bytes, there are {found}")]
    ShapeSize {
        /// Its name.
        member: String,
        /// The shape.
        shape: String,
        /// The element type.
        dtype: String,
        /// What the shape needs.
        wanted: u64,
        /// What is there.
        found: u64,
    },
    /// An array of pickled Python objects where numbers are needed.
    #[error("member `{member}` holds pickled Python objects, which are never run")]
    Pickled {
        /// Its name.
        member: String,
    },
    /// An element type that cannot be what it should be.
    #[error("member `{member}`: element type {found}, wanted {wanted}")]
    Dtype {
        /// Its name.
        member: String,
        /// The type.
        found: String,
        /// What would do.
        wanted: &'static str,
    },
    /// A shape that cannot be what it should be.
    #[error("member `{member}`: shape {found}, wanted {wanted}")]
    Shape {
        /// Its name.
        member: String,
        /// The shape.
        found: String,
        /// What would do.
        wanted: &'static str,
    },
    /// A value out of range.
    #[error("member `{member}`: value {found} at {index}, wanted {wanted}")]
    Value {
        /// Its name.
        member: String,
        /// The value.
        found: String,
        /// Its place in the array.
        index: usize,
        /// What would do.
        wanted: &'static str,
    },

    /// A row that names no relation on an attribute.
    #[error("member `{member}`, row {row}: {found} is not a triple: {reason}")]
    NotTriple {
        /// Its name.
        member: &'static str,
        /// The row, from 0.
        row: usize,
        /// What is there.
        found: String,
        /// Why it is none.
        reason: String,
    },
    /// Two members that state different things.
    #[error("member `{member}` says {found}, but `{other}` says {wanted}")]
    MembersDisagree {
        /// The one that is passed over.
        member: &'static str,
        /// The one that counts.
        other: &'static str,
        /// What the first says.
        found: String,
        /// What the other says.
        wanted: String,
    },

    /// Bytes that are not text.
    #[error("not UTF-8 text at byte {at}")]
    NotUtf8 {
        /// Where.
        at: usize,
    },
    /// Not well-formed XML.
    #[error("not well-formed XML: {what}")]
    NotXml {
        /// The parser's words, with line and column.
        what: String,
    },
    /// A document type, which could make the text explode.
    #[error("line {line}, column {column}: a document type (DTD) is not allowed")]
    Dtd {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Elements nested deeper than any puzzle.
    #[error("line {line}, column {column}: elements are nested more than {limit} deep")]
    TooDeep {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The limit.
        limit: usize,
    },
    /// An element or attribute that is not as RAVEN's files have it.
    #[error("line {line}, column {column}: {what}: found {found}, wanted {wanted}")]
    Scene {
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
        /// Which element or attribute.
        what: &'static str,
        /// What is there.
        found: String,
        /// What would do.
        wanted: String,
    },

    /// A line of truth or a manifest that is not as we write it.
    #[error("line {line}: {what}")]
    Json {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A file that does not have the bytes that were written.
    #[error("its SHA-256 is {found}, the dataset says {wanted}")]
    Hash {
        /// Of the bytes that are there.
        found: String,
        /// Of the bytes that were written.
        wanted: String,
    },
    /// A file that the dataset promises.
    #[error("is missing, though the dataset lists it")]
    MissingFile,
    /// A file that the dataset does not list.
    #[error("is there, though the dataset does not list it")]
    UnlistedFile,

    /// A list of truths that leaves out files beside it.
    #[error("{count} puzzles beside it are not in it")]
    NotInTruth {
        /// How many.
        count: u64,
    },

    /// A list of truths that has as many lines as there are files, for other files.
    #[error("it names other puzzles than those beside it, or one of them twice")]
    OtherThanTruth,

    /// A picture that cannot be decoded.
    #[error("not a readable PNG: {0}")]
    NotPng(String),
    /// A picture that is too large.
    #[error("a picture of {width}x{height}, more than {limit} pixels")]
    PictureTooLarge {
        /// Width.
        width: u32,
        /// Height.
        height: u32,
        /// The limit.
        limit: u64,
    },
    /// Pictures that do not make the panels of a puzzle.
    #[error("{found} where {count} panels are wanted: {wanted}")]
    WrongPanels {
        /// What is there.
        found: String,
        /// How many panels there should be.
        count: usize,
        /// What would do.
        wanted: String,
    },
    /// A table that is not as the public copies of RAVEN have it.
    #[error("not a parquet file of puzzles: {0}")]
    NotParquet(String),
    /// Rows of a table that cannot be read, while others can.
    #[error("{}: {what}", rows(*first, *last))]
    TableRows {
        /// The first of them, from 0.
        first: usize,
        /// The last one.
        last: usize,
        /// What is wrong.
        what: String,
    },
}

fn rows(first: usize, last: usize) -> String {
    if first == last { format!("row {first}") } else { format!("rows {first} to {last}") }
}

impl FormatError {
    /// What the user may do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Pickled { .. } => Some(
                "save the array again as numbers, for example np.savez(path, image=image.astype('uint8'))",
            ),
            Self::MissingMember { member: "image", .. } => {
                Some("a puzzle needs its panels as `image`, such as (16, 160, 160) of uint8")
            }
            Self::Value { member, wanted, .. } if member == "image" && wanted.contains("255") => {
                Some("save the panels as uint8, 0 black to 255 white")
            }
            _ => None,
        }
    }
}
