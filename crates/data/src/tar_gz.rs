//! Archives (`.tar.gz`, `.tgz`, `.tar`) read as streams: nothing is unpacked to
//! disk, and memory holds one member at a time.
//!
//! The reader is our own because it must be bounded: a name or a header of 4 GB
//! has to be refused before it is read, and only plain files are of use here.

use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use crate::error::InFile;
use crate::{DataError, FormatError, file, limits};

const BLOCK: usize = 512;

/// A plain file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TarMember {
    /// Its name, with the folders before it.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The npz files of an archive, in its order. Other files and folders are passed
/// over; everything that is neither is an error, after which nothing follows.
pub struct TarStream {
    path: PathBuf,
    reader: Box<dyn Read + Send>,
    /// Bytes of the file that were read so far.
    packed: Arc<AtomicU64>,
    /// Bytes that they were unpacked to.
    unpacked: u64,
    over: bool,
}

/// Whether a file is an archive by its name.
pub fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    [".tar.gz", ".tgz", ".tar"].iter().any(|ending| name.ends_with(ending))
}

/// Opens an archive; whether it is packed is seen from its first bytes.
pub fn open(path: &Path) -> Result<TarStream, DataError> {
    let file = file::open(path)?;
    TarStream::new(file, path).map_err(DataError::read(path))
}

/// Reads the bytes of an archive, for tests that throw bytes at it.
pub fn parse(bytes: &[u8]) -> Result<Vec<TarMember>, FormatError> {
    let path = Path::new("");
    let stream = TarStream::new(io::Cursor::new(bytes.to_vec()), path);
    let members = stream.map_err(|_| FormatError::NotTar("it cannot be read".to_owned()))?;
    members
        .map(|member| match member {
            Err(DataError::Bad { format_error, .. }) => Err(format_error),
            Err(error) => Err(FormatError::NotTar(error.to_string())),
            Ok(member) => Ok(member),
        })
        .collect()
}

/// Counts what passes through.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// What stops a stream: the disk, or the file.
enum Stop {
    Disk(io::Error),
    FormatError(FormatError),
}

impl From<FormatError> for Stop {
    fn from(format_error: FormatError) -> Self {
        Self::FormatError(format_error)
    }
}

fn not_tar(what: &str) -> Stop {
    Stop::FormatError(FormatError::NotTar(what.to_owned()))
}

/// Damage of the packed stream is told by the kind of the error.
fn stop(error: io::Error) -> Stop {
    match error.kind() {
        ErrorKind::UnexpectedEof => not_tar("it breaks off"),
        ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            not_tar("its packed bytes make no sense")
        }
        _ => Stop::Disk(error),
    }
}

impl TarStream {
    fn new(source: impl Read + Send + 'static, path: &Path) -> io::Result<Self> {
        let packed = Arc::new(AtomicU64::new(0));
        let mut source = BufReader::new(Counted { inner: source, count: Arc::clone(&packed) });
        let is_packed = io::BufRead::fill_buf(&mut source)?.starts_with(&[0x1f, 0x8b]);
        let reader: Box<dyn Read + Send> =
            if is_packed { Box::new(MultiGzDecoder::new(source)) } else { Box::new(source) };
        Ok(Self { path: path.to_owned(), reader, packed, unpacked: 0, over: false })
    }

    /// Fills a buffer, and refuses an archive that is packed tighter than any of
    /// puzzles.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Stop> {
        self.reader.read_exact(buffer).map_err(stop)?;
        self.unpacked += buffer.len() as u64;
        let packed = self.packed.load(Ordering::Relaxed);
        if self.unpacked > limits::ARCHIVE_FREE_BYTES
            && self.unpacked / limits::ARCHIVE_RATIO > packed
        {
            let (found, limit) = (self.unpacked, limits::ARCHIVE_RATIO);
            return Err(FormatError::ArchiveRatio { packed, found, limit }.into());
        }
        Ok(())
    }

    /// Passes over bytes and what fills up their last block.
    fn skip(&mut self, size: u64) -> Result<(), Stop> {
        let mut left = padded(size).ok_or_else(|| not_tar("a member's size overflows"))?;
        let mut buffer = [0; 16 * BLOCK];
        while left > 0 {
            let count = left.min(buffer.len() as u64) as usize;
            self.fill(&mut buffer[..count])?;
            left -= count as u64;
        }
        Ok(())
    }

    /// The whole contents of a member.
    fn contents(&mut self, member: &str, size: u64, limit: u64) -> Result<Vec<u8>, Stop> {
        if size > limit {
            let member = member.to_owned();
            return Err(FormatError::MemberTooLarge { member, found: size, limit }.into());
        }
        let mut bytes = Vec::new();
        // A promise of many bytes takes memory only as they come.
        while (bytes.len() as u64) < size {
            let start = bytes.len();
            let count = (size - start as u64).min(1 << 20) as usize;
            bytes.resize(start + count, 0);
            self.fill(&mut bytes[start..])?;
        }
        self.skip_padding(size)?;
        Ok(bytes)
    }

    fn skip_padding(&mut self, size: u64) -> Result<(), Stop> {
        let rest = (padded(size).unwrap_or(size) - size) as usize;
        self.fill(&mut [0; BLOCK][..rest])
    }

    /// The next npz file, or `None` at the end.
    fn member(&mut self) -> Result<Option<TarMember>, Stop> {
        let mut long_name: Option<String> = None;
        let mut long_size: Option<u64> = None;
        loop {
            let mut block = [0; BLOCK];
            self.fill(&mut block)?;
            if block.iter().all(|&b| b == 0) {
                self.finish()?;
                return Ok(None);
            }
            let header = Header::parse(&block)?;
            match header.kind {
                b'x' | b'g' => {
                    let text =
                        self.contents(&header.name, header.size, limits::TAR_HEADER_BYTES)?;
                    if header.kind == b'x' {
                        let extended = Extended::parse(&text)?;
                        long_name = extended.path.or(long_name);
                        long_size = extended.size.or(long_size);
                    }
                    continue;
                }
                b'L' => {
                    let text =
                        self.contents(&header.name, header.size, limits::TAR_HEADER_BYTES)?;
                    long_name = Some(until_zero(&text));
                    continue;
                }
                _ => {}
            }
            let name = long_name.take().unwrap_or(header.name);
            let size = long_size.take().unwrap_or(header.size);
            check_name(&name)?;
            match header.kind {
                b'0' | b'\0' | b'7' if name.ends_with(".npz") => {
                    let bytes = self.contents(&name, size, limits::NPZ_BYTES)?;
                    return Ok(Some(TarMember { name, bytes }));
                }
                b'0' | b'\0' | b'7' | b'5' => self.skip(size)?,
                kind => {
                    return Err(FormatError::MemberKind {
                        member: name,
                        kind: kind_in_words(kind),
                    }
                    .into());
                }
            }
        }
    }

    /// After the first empty block comes another, and nothing but zeros.
    fn finish(&mut self) -> Result<(), Stop> {
        self.fill(&mut [0; BLOCK])?;
        let mut rest = Vec::new();
        let limit = limits::TAR_END_BYTES;
        (&mut self.reader).take(limit + 1).read_to_end(&mut rest).map_err(stop)?;
        if rest.len() as u64 > limit || rest.iter().any(|&b| b != 0) {
            return Err(not_tar("something follows its end"));
        }
        Ok(())
    }
}

impl Iterator for TarStream {
    type Item = Result<TarMember, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let next = self.member();
        self.over = !matches!(next, Ok(Some(_)));
        match next {
            Ok(member) => member.map(Ok),
            Err(Stop::FormatError(format_error)) => Some(Err(format_error).in_file(&self.path)),
            Err(Stop::Disk(source)) => {
                Some(Err(DataError::Read { path: self.path.clone(), source }))
            }
        }
    }
}

/// The size of whole blocks.
fn padded(size: u64) -> Option<u64> {
    size.checked_next_multiple_of(BLOCK as u64)
}

fn until_zero(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Nothing is written to disk, but names end up in messages and in names of files
/// that others write.
fn check_name(name: &str) -> Result<(), FormatError> {
    let rest = name.strip_prefix("./").unwrap_or(name);
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let leaves = rest.split('/').any(|piece| piece == ".." || piece.is_empty() && !rest.is_empty())
        || name.contains(['\\', ':'])
        || name.chars().any(char::is_control);
    if leaves {
        Err(FormatError::MemberPath { member: name.escape_debug().to_string() })
    } else {
        Ok(())
    }
}

fn kind_in_words(kind: u8) -> &'static str {
    match kind {
        b'1' => "a hard link",
        b'2' => "a symbolic link",
        b'3' | b'4' => "a device",
        b'6' => "a pipe",
        b'S' => "a sparse file",
        b'K' => "a link with a long name",
        _ => "of a kind that is not known",
    }
}

/// What is of use in the 512 bytes before a member.
struct Header {
    name: String,
    size: u64,
    kind: u8,
}

impl Header {
    fn parse(block: &[u8; BLOCK]) -> Result<Self, Stop> {
        // The checksum counts itself as spaces.
        let sum: u64 = block
            .iter()
            .enumerate()
            .map(|(at, &b)| if (148..156).contains(&at) { 32 } else { u64::from(b) })
            .sum();
        if number(&block[148..156]) != Some(sum) {
            return Err(not_tar("a header's checksum is wrong"));
        }
        let mut name = until_zero(&block[..100]);
        if &block[257..263] == b"ustar\0" {
            let prefix = until_zero(&block[345..500]);
            if !prefix.is_empty() {
                name = format!("{prefix}/{name}");
            }
        }
        let size =
            number(&block[124..136]).ok_or_else(|| not_tar("a header's size is not a number"))?;
        Ok(Self { name, size, kind: block[156] })
    }
}

/// A number in octal digits, or in binary where the first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let (high, low) = field.split_at(field.len() - 8);
        let is_small = high.iter().enumerate().all(|(at, &b)| b == if at == 0 { 0x80 } else { 0 });
        return if is_small { low.try_into().ok().map(u64::from_be_bytes) } else { None };
    }
    let text = std::str::from_utf8(field).ok()?;
    let text = text.trim_matches(['\0', ' ']);
    if text.is_empty() {
        return Some(0);
    }
    text.bytes().all(|b| b.is_ascii_digit()).then(|| u64::from_str_radix(text, 8).ok())?
}

/// The entries of an extended header that are of use.
#[derive(Default)]
struct Extended {
    path: Option<String>,
    size: Option<u64>,
}

impl Extended {
    /// Lines of `<length> <key>=<value>`.
    fn parse(mut text: &[u8]) -> Result<Self, Stop> {
        let bad = || not_tar("an extended header makes no sense");
        let mut found = Self::default();
        while !text.is_empty() {
            let space = text.iter().position(|&b| b == b' ').ok_or_else(bad)?;
            let length: usize = std::str::from_utf8(&text[..space])
                .ok()
                .and_then(|digits| digits.parse().ok())
                .ok_or_else(bad)?;
            let record = text.get(space + 1..length).ok_or_else(bad)?;
            let record = record.strip_suffix(b"\n").ok_or_else(bad)?;
            let equals = record.iter().position(|&b| b == b'=').ok_or_else(bad)?;
            let value = String::from_utf8_lossy(&record[equals + 1..]);
            match &record[..equals] {
                b"path" => found.path = Some(value.into_owned()),
                b"size" => found.size = Some(value.parse().map_err(|_| bad())?),
                _ => {}
            }
            text = &text[length..];
        }
        Ok(found)
    }
}
