//! Files that are written whole or not at all.

use std::path::Path;

use crate::error::TrainError;

/// [Replaces](genvp_data::replace_file) a file of a run.
///
/// # Errors
/// With the path and the system's reason.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    genvp_data::replace_file(path, bytes).map_err(|source| TrainError::file("write", path, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = write_whole(Path::new("/nowhere/at/all"), b"x").unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    }
}
