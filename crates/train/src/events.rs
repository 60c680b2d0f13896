//! TensorBoard event files: records of a length, a checksum and a message.
//!
//! The messages are protocol buffers, of which only the few fields that
//! scalars and pictures need are written here.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::TrainError;

/// An event file that is being written.
#[derive(Debug)]
pub struct EventFile {
    file: File,
    path: PathBuf,
}

impl EventFile {
    /// Starts a new event file in a folder. TensorBoard reads all of a folder
    /// in the order of their names, so a later session's must be greater.
    pub fn create(folder: &Path, seconds: f64) -> Result<Self, TrainError> {
        let name =
            format!("events.out.tfevents.{:010}.genvp.{}", seconds as u64, std::process::id());
        let path = folder.join(name);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|source| TrainError::file("create", &path, source))?;
        let mut events = Self { file, path };
        let mut first = Message::default();
        first.double(1, seconds);
        first.bytes(3, b"brain.Event:2");
        events.write(&first.0)?;
        Ok(events)
    }

    /// Adds numbers, by their names, at a step.
    pub fn scalars(
        &mut self,
        seconds: f64,
        step: u64,
        values: &[(String, f32)],
    ) -> Result<(), TrainError> {
        let mut summary = Message::default();
        for (name, value) in values {
            let mut entry = Message::default();
            entry.bytes(1, name.as_bytes());
            entry.float(2, *value);
            summary.bytes(1, &entry.0);
        }
        self.event(seconds, step, &summary)
    }

    /// Adds a PNG picture at a step.
    pub fn picture(
        &mut self,
        seconds: f64,
        step: u64,
        name: &str,
        size: [usize; 2],
        png: &[u8],
    ) -> Result<(), TrainError> {
        let mut image = Message::default();
        image.varint(1, size[0] as u64);
        image.varint(2, size[1] as u64);
        image.varint(3, 1);
        image.bytes(4, png);
        let mut entry = Message::default();
        entry.bytes(1, name.as_bytes());
        entry.bytes(4, &image.0);
        let mut summary = Message::default();
        summary.bytes(1, &entry.0);
        self.event(seconds, step, &summary)
    }

    fn event(&mut self, seconds: f64, step: u64, summary: &Message) -> Result<(), TrainError> {
        let mut event = Message::default();
        event.double(1, seconds);
        event.varint(2, step);
        event.bytes(5, &summary.0);
        self.write(&event.0)
    }

    fn write(&mut self, message: &[u8]) -> Result<(), TrainError> {
        let written = self.file.write_all(&record(message));
        written.map_err(|source| TrainError::file("write", &self.path, source))
    }
}

/// A record: length, its checksum, message, its checksum.
fn record(message: &[u8]) -> Vec<u8> {
    let length = (message.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(message.len() + 16);
    record.extend(length);
    record.extend(masked_crc(&length).to_le_bytes());
    record.extend(message);
    record.extend(masked_crc(message).to_le_bytes());
    record
}

/// The checksum as records keep it: rotated and shifted, so that a checksum of
/// data that holds checksums is still a good one.
fn masked_crc(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32 with Castagnoli's polynomial.
fn crc32c(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0u32; 256];
        let mut i = 0;
        while i < 256 {
            let mut crc = i as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
                bit += 1;
            }
            table[i] = crc;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, &byte| crc >> 8 ^ TABLE[((crc ^ u32::from(byte)) & 0xff) as usize])
}

/// A protocol buffer message, field by field.
#[derive(Debug, Default)]
struct Message(Vec<u8>);

impl Message {
    fn raw(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn varint(&mut self, field: u64, value: u64) {
        self.raw(field << 3);
        self.raw(value);
    }

    fn double(&mut self, field: u64, value: f64) {
        self.raw(field << 3 | 1);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.raw(field << 3 | 2);
        self.raw(value.len() as u64);
        self.0.extend(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.raw(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_castagnolis() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }

    #[test]
    fn records_can_be_walked_and_their_checksums_hold() {
        let folder = tempfile::tempdir().unwrap();
        let mut events = EventFile::create(folder.path(), 1.0).unwrap();
        events
            .scalars(2.0, 300, &[("loss/total".into(), 1.5), ("puzzles_per_second".into(), 72.0)])
            .unwrap();
        events.picture(3.0, 300, "reconstructions", [4, 4], b"png").unwrap();
        let bytes = std::fs::read(&events.path).unwrap();
        let (mut at, mut messages) = (0, Vec::new());
        while at < bytes.len() {
            let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
            let crc = |from: usize| u32::from_le_bytes(bytes[from..from + 4].try_into().unwrap());
            assert_eq!(crc(at + 8), masked_crc(&bytes[at..at + 8]));
            let message = &bytes[at + 12..at + 12 + length];
            assert_eq!(crc(at + 12 + length), masked_crc(message));
            messages.push(message.to_vec());
            at += 16 + length;
        }
        assert_eq!(messages.len(), 3);
        // wall time 2.0 (field 1), step 300 (field 2), then the summary (field 5).
        assert_eq!(messages[1][..9], [0x09, 0, 0, 0, 0, 0, 0, 0, 0x40]);
        assert_eq!(messages[1][9..13], [0x10, 0xac, 0x02, 0x2a]);
        let has = |name: &[u8]| messages[1].windows(name.len()).any(|w| w == name);
        assert!(has(b"loss/total") && has(b"puzzles_per_second"));
    }
}
