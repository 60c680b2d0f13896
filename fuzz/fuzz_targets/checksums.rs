//! Checksums made right, or no change of what they guard would ever get past them.

/// An npz whose stored members have the right checksums.
pub fn of_zip(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let number = |at: usize, width: usize| {
        bytes.get(at..at + width).map(|b| b.iter().rev().fold(0usize, |n, &b| n << 8 | usize::from(b)))
    };
    for at in 0..bytes.len().saturating_sub(46) {
        if bytes[at..at + 4] != *b"PK\x01\x02" {
            continue;
        }
        let (Some(size), Some(local)) = (number(at + 20, 4), number(at + 42, 4)) else { continue };
        let (Some(name), Some(extra)) = (number(local + 26, 2), number(local + 28, 2)) else {
            continue;
        };
        let start = local + 30 + name + extra;
        if let Some(data) = bytes.get(start..start.saturating_add(size)) {
            out[at + 16..at + 20].copy_from_slice(&crc32fast::hash(data).to_le_bytes());
        }
    }
    out
}

/// A tar archive whose headers have the right checksums.
#[allow(dead_code, reason = "one target of two uses it")]
pub fn of_tar(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for block in out.chunks_exact_mut(512) {
        if block[257..262] == *b"ustar" {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|&b| u32::from(b)).sum();
            block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        }
    }
    out
}
