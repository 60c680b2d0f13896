//! A zip archive in memory, read by member name and never unpacked to disk.

use std::borrow::Cow;

use flate2::{Decompress, FlushDecompress, Status};

use crate::{FormatError, limits};

const END: [u8; 4] = *b"PK\x05\x06";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";
const END_BYTES: usize = 22;
const CENTRAL_BYTES: usize = 46;
const LOCAL_BYTES: usize = 30;
const SYMLINK_MODE: u32 = 0o120_000;

/// One member, as the directory describes it.
pub(crate) struct Member {
    pub(crate) name: String,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    /// Where its packed bytes begin.
    start: usize,
}

/// The directory of an archive, with every promise in it checked.
pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    pub(crate) members: Vec<Member>,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        let cut = || FormatError::NotZip("it breaks off");
        let end = find_end(bytes).ok_or(FormatError::NotZip("there is no end record"))?;
        let count = usize::from(u16_at(bytes, end + 10).ok_or_else(cut)?);
        let length = u32_at(bytes, end + 12).ok_or_else(cut)? as usize;
        let start = u32_at(bytes, end + 16).ok_or_else(cut)? as usize;
        if count > limits::MEMBERS {
            return Err(FormatError::TooManyMembers { found: count, limit: limits::MEMBERS });
        }
        if start.checked_add(length) != Some(end) {
            return Err(FormatError::NotZip("the directory is not where the end record says"));
        }

        let mut members = Vec::with_capacity(count);
        let mut at = start;
        for _ in 0..count {
            let (member, next) = read_entry(bytes, at, end, start)?;
            if members.iter().any(|m: &Member| m.name == member.name) {
                return Err(FormatError::DuplicateMember { member: member.name });
            }
            members.push(member);
            at = next;
        }
        if at != end {
            return Err(FormatError::NotZip(
                "the directory has more in it than the end record says",
            ));
        }
        check_overlap(&members)?;
        Ok(Self { bytes, members })
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|m| m.name == name)
    }

    /// The unpacked bytes of a member: where it is stored as it is, those of the archive.
    pub(crate) fn unpack(&self, member: &Member) -> Result<Cow<'a, [u8]>, FormatError> {
        let damaged = |what| FormatError::Damaged { member: member.name.clone(), what };
        let packed = self
            .bytes
            .get(member.start..member.start + member.packed as usize)
            .ok_or_else(|| damaged("it breaks off"))?;
        let bytes = if member.method == 0 {
            Cow::Borrowed(packed)
        } else {
            Cow::Owned(inflate(packed, member.size as usize).map_err(damaged)?)
        };
        if crc32fast::hash(&bytes) != member.crc {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(bytes)
    }
}

/// The end record stands before a comment of the length it states.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_BYTES)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|&at| {
        bytes[at..at + 4] == END
            && u16_at(bytes, at + 20)
                .is_some_and(|n| at + END_BYTES + usize::from(n) == bytes.len())
    })
}

fn read_entry(
    bytes: &[u8],
    at: usize,
    end: usize,
    directory: usize,
) -> Result<(Member, usize), FormatError> {
    let cut = || FormatError::NotZip("its directory breaks off");
    let head = bytes.get(at..at + CENTRAL_BYTES).filter(|_| at + CENTRAL_BYTES <= end);
    let head = head.ok_or_else(cut)?;
    if head[..4] != CENTRAL {
        return Err(FormatError::NotZip("its directory is damaged"));
    }
    let short = |at| u16_at(head, at).ok_or_else(cut);
    let long = |at| u32_at(head, at).ok_or_else(cut);
    let flags = short(8)?;
    let method = short(10)?;
    let name_length = usize::from(short(28)?);
    let next = at + CENTRAL_BYTES + name_length + usize::from(short(30)?) + usize::from(short(32)?);
    if next > end {
        return Err(cut());
    }
    let raw_name = &bytes[at + CENTRAL_BYTES..at + CENTRAL_BYTES + name_length];
    let name = String::from_utf8_lossy(raw_name).into_owned();
    let member = Member {
        method,
        crc: long(16)?,
        packed: u64::from(long(20)?),
        size: u64::from(long(24)?),
        start: 0,
        name,
    };
    if member.name.split(['/', '\\']).any(|piece| piece == ".." || piece.is_empty())
        || member.name.contains(['\\', ':', '\0'])
    {
        return Err(FormatError::MemberPath { member: member.name });
    }
    if flags & 1 != 0 {
        return Err(FormatError::Encrypted { member: member.name });
    }
    if head[5] == 3 && (long(38)? >> 16) & 0o170_000 == SYMLINK_MODE {
        return Err(FormatError::Symlink { member: member.name });
    }
    if method != 0 && method != 8 {
        return Err(FormatError::Method { member: member.name, method });
    }
    check_sizes(&member)?;
    let start = find_data(bytes, &member, raw_name, flags, long(42)? as usize, directory)?;
    Ok((Member { start, ..member }, next))
}

/// Refuses before anything is unpacked.
fn check_sizes(member: &Member) -> Result<(), FormatError> {
    let name = || member.name.clone();
    if member.size > limits::MEMBER_BYTES {
        return Err(FormatError::MemberTooLarge {
            member: name(),
            found: member.size,
            limit: limits::MEMBER_BYTES,
        });
    }
    if member.method == 0 && member.packed != member.size {
        return Err(FormatError::Damaged {
            member: name(),
            what: "it is stored, yet its packed and unpacked sizes differ",
        });
    }
    if member.size > member.packed.saturating_mul(limits::RATIO) {
        return Err(FormatError::Ratio {
            member: name(),
            packed: member.packed,
            found: member.size,
            limit: limits::RATIO,
        });
    }
    Ok(())
}

/// Where the packed bytes begin; the member's own header must agree with the
/// directory, or two programs could read two different arrays.
fn find_data(
    bytes: &[u8],
    member: &Member,
    raw_name: &[u8],
    flags: u16,
    at: usize,
    directory: usize,
) -> Result<usize, FormatError> {
    let disagree = |what| FormatError::HeadersDisagree { member: member.name.clone(), what };
    let head = at
        .checked_add(LOCAL_BYTES)
        .filter(|&to| to <= directory)
        .and_then(|to| bytes.get(at..to))
        .filter(|head| head[..4] == LOCAL)
        .ok_or_else(|| disagree("where it is"))?;
    let short = |at| u16_at(head, at).ok_or_else(|| disagree("its sizes"));
    let long = |at| u32_at(head, at).ok_or_else(|| disagree("its sizes"));
    let name_length = usize::from(short(26)?);
    let start = at + LOCAL_BYTES + name_length + usize::from(short(28)?);
    if bytes.get(at + LOCAL_BYTES..at + LOCAL_BYTES + name_length) != Some(raw_name) {
        return Err(disagree("its name"));
    }
    if short(8)? != member.method {
        return Err(disagree("its compression"));
    }
    // Sizes that follow the data (flag 8), or stand in a zip64 field (all ones, as
    // newer numpy writes), are only in the directory.
    let follows = flags & 8 != 0;
    let differs = |found: u32, wanted: u64| {
        found != u32::MAX && !(follows && found == 0) && u64::from(found) != wanted
    };
    if differs(long(18)?, member.packed) || differs(long(22)?, member.size) {
        return Err(disagree("its size"));
    }
    if start as u64 + member.packed > directory as u64 {
        return Err(FormatError::Damaged { member: member.name.clone(), what: "it breaks off" });
    }
    Ok(start)
}

fn check_overlap(members: &[Member]) -> Result<(), FormatError> {
    let mut order: Vec<&Member> = members.iter().collect();
    order.sort_by_key(|m| m.start);
    for pair in order.windows(2) {
        // The next member's own header must fit between the two as well.
        let header = (LOCAL_BYTES + pair[1].name.len()) as u64;
        if pair[0].start as u64 + pair[0].packed + header > pair[1].start as u64 {
            return Err(FormatError::Overlap { member: pair[1].name.clone() });
        }
    }
    Ok(())
}

/// Inflates to exactly `size` bytes, never to more.
fn inflate(packed: &[u8], size: usize) -> Result<Vec<u8>, &'static str> {
    let mut bytes = Vec::with_capacity(size + 1);
    let mut state = Decompress::new(false);
    let status = state
        .decompress_vec(packed, &mut bytes, FlushDecompress::Finish)
        .map_err(|_| "its packed bytes make no sense")?;
    if bytes.len() > size {
        return Err("it unpacks to more than it says");
    }
    if status != Status::StreamEnd {
        return Err("its packed bytes break off");
    }
    if bytes.len() < size {
        return Err("it unpacks to less than it says");
    }
    if state.total_in() != packed.len() as u64 {
        return Err("something follows its packed bytes");
    }
    Ok(bytes)
}
