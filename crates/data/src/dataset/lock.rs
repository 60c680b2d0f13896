//! One writer per folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::DataError;

/// The file that a run holds while it writes.
pub(super) const FILE_NAME: &str = ".genvp.lock";

/// A held lock. The system lets go of it when the process ends, however it
/// ends, so a killed run never blocks the next one.
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    pub(super) fn take(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join(FILE_NAME);
        // A run that just ended may remove the file between our opening and locking
        // it; a lock that nobody can see is no lock, so look again.
        for _ in 0..100 {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(DataError::write(&path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let pid = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
                    let pid = if pid.is_empty() { "unknown".to_owned() } else { pid };
                    return Err(DataError::Locked { path: folder.to_owned(), pid });
                }
                Err(TryLockError::Error(source)) => {
                    return Err(DataError::Write { path, source });
                }
            }
            let pid = std::process::id().to_string();
            file.set_len(0)
                .and_then(|()| file.seek(SeekFrom::Start(0)))
                .and_then(|_| file.write_all(pid.as_bytes()))
                .map_err(DataError::write(&path))?;
            if fs::read_to_string(&path).is_ok_and(|seen| seen == pid) {
                return Ok(Self { path, _file: file });
            }
        }
        Err(DataError::Locked { path: folder.to_owned(), pid: "unknown".to_owned() })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Left behind, it would only be a file that nobody holds.
        let _ = fs::remove_file(&self.path);
    }
}
