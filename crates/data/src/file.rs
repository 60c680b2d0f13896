//! Whole files in and out.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use crate::{DataError, FormatError};

/// Opens a file to read it. What lies in a dataset's folder and is a pipe, a socket or a device is
/// refused, because reading it may never end; those that the system itself offers are not.
pub(crate) fn open(path: &Path) -> Result<File, DataError> {
    let found = path.metadata().map_err(DataError::read(path))?;
    if !found.is_file() && !found.is_dir() && !path.starts_with("/dev") {
        let error = std::io::Error::other("it is a pipe, socket or device, not a file");
        return Err(DataError::read(path)(error));
    }
    File::open(path).map_err(DataError::read(path))
}

/// Reads a file of at most `limit` bytes; a larger one is refused unread.
pub(crate) fn read_bounded(
    path: &Path,
    what: &'static str,
    limit: u64,
) -> Result<Vec<u8>, DataError> {
    let too_large = |found| DataError::Bad {
        path: path.to_owned(),
        format_error: FormatError::FileTooLarge { what, found, limit },
    };
    let file = open(path)?;
    let size = file.metadata().map_err(DataError::read(path))?.len();
    if size > limit {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(size as usize + 1);
    // The size of a pipe or a growing file is not known before it is read.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(DataError::read(path))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// Writes a file whole or not at all: under another name first, which is then
/// changed. `durable` also waits until the disk has it.
pub(crate) fn write_whole(
    path: &Path,
    temporary: &Path,
    bytes: &[u8],
    durable: bool,
) -> Result<(), DataError> {
    put(path, temporary, bytes, durable).map_err(DataError::write(path))?;
    if durable && let Some(folder) = path.parent() {
        sync_folder(folder)?;
    }
    Ok(())
}

fn put(path: &Path, temporary: &Path, bytes: &[u8], durable: bool) -> std::io::Result<()> {
    let write = || {
        let mut file = File::create(temporary)?;
        file.write_all(bytes)?;
        if durable {
            file.sync_all()?;
        }
        drop(file);
        fs::rename(temporary, path)
    };
    // What is half written is of no use to anybody; the first error is the cause.
    write().inspect_err(|_| {
        let _ = fs::remove_file(temporary);
    })
}

/// Replaces a file so that a reader, or a machine that loses power, finds the old
/// bytes or the new ones and never a part: a temporary file in the same folder,
/// a sync, a rename, and a sync of the folder.
///
/// # Errors
/// With the system's reason; what was there before is untouched unless syncing the
/// folder failed.
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    put(path, &temporary, bytes, true)?;
    sync_names(path.parent().unwrap_or(Path::new("")))
}

/// Waits until the disk has the names in a folder.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), DataError> {
    sync_names(folder).map_err(DataError::write(folder))
}

fn sync_names(folder: &Path) -> std::io::Result<()> {
    // Windows cannot open folders as files, and needs no such step.
    if cfg!(windows) {
        return Ok(());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder).and_then(|f| f.sync_all())
}

/// Waits until the disk has everything below a folder.
#[cfg(target_os = "linux")]
pub(crate) fn sync_tree(root: &Path) -> Result<(), DataError> {
    // One call for the whole file system beats one for each of 100,000 files.
    let folder = File::open(root).map_err(DataError::write(root))?;
    rustix::fs::syncfs(&folder).map_err(|e| DataError::write(root)(e.into()))
}

/// Waits until the disk has everything below a folder.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sync_tree(root: &Path) -> Result<(), DataError> {
    for entry in root.read_dir().map_err(DataError::write(root))? {
        let path = entry.map_err(DataError::write(root))?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        } else {
            fs::OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|f| f.sync_all())
                .map_err(DataError::write(&path))?;
        }
    }
    sync_folder(root)
}

/// Writes a file that a user asked for by name: whole or not at all, its folder
/// made where it is missing. What exists is refused unless it may be replaced.
pub fn write_file(path: &Path, bytes: &[u8], replace: bool) -> Result<(), DataError> {
    if path.is_dir() || (path.exists() && !replace) {
        return Err(DataError::Exists { path: path.to_owned() });
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(DataError::write(folder))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".partial-{}", std::process::id()));
    write_whole(path, &folder.join(name), bytes, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        replace_file(&path, b"old").unwrap();
        replace_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
