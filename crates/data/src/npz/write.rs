//! Writing an npz as numpy's `savez` and `savez_compressed` do.

use flate2::{Compress, Compression, FlushCompress, Status};

/// The header that numpy writes: padded with spaces until the elements begin at
/// a multiple of 64 bytes.
fn npy_header(descr: &str, shape: &str) -> Vec<u8> {
    const ALIGN: usize = 64;
    const PREFIX: usize = 10;
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let total = (PREFIX + text.len() + 1).next_multiple_of(ALIGN);
    let mut header = Vec::with_capacity(total);
    header.extend_from_slice(b"\x93NUMPY\x01\x00");
    header.extend_from_slice(&((total - PREFIX) as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header.resize(total - 1, b' ');
    header.push(b'\n');
    header
}

/// A zip archive that grows in one buffer.
pub(crate) struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
    deflated: bool,
}

impl Zip {
    pub(crate) fn new(deflated: bool, capacity: usize) -> Self {
        let capacity = if deflated { 64 << 10 } else { capacity };
        Self { bytes: Vec::with_capacity(capacity), directory: Vec::new(), count: 0, deflated }
    }

    pub(crate) fn add(&mut self, name: &str, descr: &str, shape: &str, data: &[u8]) {
        self.add_file(&format!("{name}.npy"), &[&npy_header(descr, shape), data]);
    }

    /// Adds a file that consists of some pieces.
    fn add_file(&mut self, name: &str, pieces: &[&[u8]]) {
        let mut crc = crc32fast::Hasher::new();
        pieces.iter().for_each(|piece| crc.update(piece));
        let crc = crc.finalize();
        let size = pieces.iter().map(|piece| piece.len()).sum::<usize>() as u32;

        let at = self.bytes.len();
        let method: u16 = if self.deflated { 8 } else { 0 };
        // Version 2.0, no flags, then method and time. Every file carries the first
        // moment that zip knows (1980-01-01), so that equal puzzles are equal bytes.
        let mut common = Vec::with_capacity(26);
        common.extend_from_slice(&20u16.to_le_bytes());
        common.extend_from_slice(&0u16.to_le_bytes());
        common.extend_from_slice(&method.to_le_bytes());
        common.extend_from_slice(&0u16.to_le_bytes());
        common.extend_from_slice(&0x21u16.to_le_bytes());
        common.extend_from_slice(&crc.to_le_bytes());
        let sizes_at = at + 4 + common.len();

        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&common);
        self.bytes.extend_from_slice(&[0; 8]);
        self.bytes.extend_from_slice(&(name.len() as u16).to_le_bytes());
        self.bytes.extend_from_slice(&[0; 2]);
        self.bytes.extend_from_slice(name.as_bytes());
        let start = self.bytes.len();
        if self.deflated {
            deflate(pieces, &mut self.bytes);
        } else {
            pieces.iter().for_each(|piece| self.bytes.extend_from_slice(piece));
        }
        let packed = (self.bytes.len() - start) as u32;
        self.bytes[sizes_at..sizes_at + 4].copy_from_slice(&packed.to_le_bytes());
        self.bytes[sizes_at + 4..sizes_at + 8].copy_from_slice(&size.to_le_bytes());

        self.directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        self.directory.extend_from_slice(&common);
        self.directory.extend_from_slice(&packed.to_le_bytes());
        self.directory.extend_from_slice(&size.to_le_bytes());
        self.directory.extend_from_slice(&(name.len() as u16).to_le_bytes());
        // No extra field, comment, disk number or internal attributes.
        self.directory.extend_from_slice(&[0; 8]);
        // A plain file that its owner may read and write, as numpy's is.
        self.directory.extend_from_slice(&0x8180_0000u32.to_le_bytes());
        self.directory.extend_from_slice(&(at as u32).to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.count += 1;
    }

    /// Adds texts, as wide as the longest of them.
    pub(crate) fn add_words(&mut self, name: &str, shape: &str, words: &[impl AsRef<str>]) {
        let width = words.iter().map(|word| word.as_ref().len()).max().unwrap_or(0).max(1);
        let mut bytes = vec![0u8; width * words.len()];
        for (slot, word) in bytes.chunks_exact_mut(width).zip(words) {
            slot[..word.as_ref().len()].copy_from_slice(word.as_ref().as_bytes());
        }
        self.add(name, &format!("|S{width}"), shape, &bytes);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(&self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&self.count.to_le_bytes());
        self.bytes.extend_from_slice(&self.count.to_le_bytes());
        self.bytes.extend_from_slice(&(self.directory.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(&start.to_le_bytes());
        self.bytes.extend_from_slice(&[0; 2]);
        self.bytes
    }
}

/// A zip archive of whole files, by name: the same bytes for the same files.
pub fn zip<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Vec<u8> {
    let mut zip = Zip::new(true, 0);
    for (name, bytes) in files {
        zip.add_file(name, &[bytes]);
    }
    zip.finish()
}

/// Appends the deflated pieces to `out`.
fn deflate(pieces: &[&[u8]], out: &mut Vec<u8>) {
    // Panels of level 2 take about the room that numpy's level 6 needs with zlib, in
    // a third of the time.
    let mut state = Compress::new(Compression::new(2), false);
    for (index, piece) in pieces.iter().enumerate() {
        let flush =
            if index + 1 == pieces.len() { FlushCompress::Finish } else { FlushCompress::None };
        let before = state.total_in();
        loop {
            out.reserve(16 << 10);
            let taken = (state.total_in() - before) as usize;
            let status = state
                .compress_vec(&piece[taken..], out, flush)
                .expect("deflating to memory cannot fail");
            let all = (state.total_in() - before) as usize == piece.len();
            match (flush, status) {
                (FlushCompress::Finish, Status::StreamEnd) => break,
                (FlushCompress::None, _) if all => break,
                _ => {}
            }
        }
    }
}
