//! The folder of a run.
//!
//! ```text
//! config.toml            all settings
//! metrics.jsonl          one object a line: steps and examinations
//! events.out.tfevents.*  the same for TensorBoard
//! latest, best           names of checkpoints
//! checkpoints/           the last two and the best
//! pictures/              reconstructions and imagined puzzles
//! lock                   held while a run uses the folder
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::adamw::State;
use crate::checkpoint::{self, Progress};
use crate::config::RunConfig;
use crate::error::TrainError;
use crate::parameters::ParameterLayout;
use crate::whole_file::write_whole;

/// Checkpoints that are kept besides the best.
const KEEP_LAST: usize = 2;

const CONFIG: &str = "config.toml";
const CHECKPOINTS: &str = "checkpoints";
const LATEST: &str = "latest";
const BEST: &str = "best";

/// The folder of a run, locked for this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// The system lets go of the lock when the process ends, however it ends.
    _lock: File,
}

impl RunFolder {
    /// Makes the folder of a new run and writes its settings.
    ///
    /// # Errors
    /// When it holds a run already, is in use, or cannot be written.
    pub fn create(path: &Path, config: &RunConfig) -> Result<Self, TrainError> {
        let folder = Self::locked(path)?;
        // Settings alone are left by a run that failed before it began, as when the weights it
        // was to begin from did not fit.
        if Self::holds_run(path) {
            return Err(TrainError::Exists { folder: path.to_owned() });
        }
        write_whole(&folder.path.join(CONFIG), config.to_toml()?.as_bytes())?;
        Ok(folder)
    }

    /// Whether a folder holds a run to go on with: settings and a checkpoint.
    pub fn holds_run(path: &Path) -> bool {
        path.join(CONFIG).is_file() && pointed(path, LATEST).is_some()
    }

    /// Opens the folder of a run to go on with it.
    ///
    /// # Errors
    /// When there is no run, it has no checkpoint, it is in use, or it has other settings.
    pub fn resume(path: &Path, config: &RunConfig) -> Result<Self, TrainError> {
        if !path.join(CONFIG).exists() {
            return Err(TrainError::NothingToResume { folder: path.to_owned() });
        }
        let folder = Self::locked(path)?;
        if !Self::holds_run(path) {
            return Err(TrainError::NothingToResume { folder: path.to_owned() });
        }
        let differences = Self::config(path)?.differences(config);
        if !differences.is_empty() {
            return Err(TrainError::OtherSettings { folder: path.to_owned(), differences });
        }
        Ok(folder)
    }

    /// The settings of the run in a folder.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn config(path: &Path) -> Result<RunConfig, TrainError> {
        let file = path.join(CONFIG);
        let text =
            fs::read_to_string(&file).map_err(|source| TrainError::file("read", &file, source))?;
        let settings = |e: toml::de::Error| TrainError::Settings {
            origin: file.display().to_string(),
            message: e.to_string(),
        };
        toml::from_str(&text).map_err(settings)
    }

    fn locked(path: &Path) -> Result<Self, TrainError> {
        let folder = path.join(CHECKPOINTS);
        fs::create_dir_all(&folder)
            .map_err(|source| TrainError::file("create", &folder, source))?;
        let lock_path = path.join("lock");
        let failed = |source| TrainError::file("lock", &lock_path, source);
        let lock =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&lock_path);
        let mut lock = lock.map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let pid = lock.read_to_string(&mut pid).ok().map(|_| pid.trim().to_owned());
                return Err(TrainError::Locked {
                    folder: path.to_owned(),
                    pid: pid.filter(|p| !p.is_empty()),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        lock.set_len(0).map_err(failed)?;
        writeln!(lock, "{}", std::process::id()).map_err(failed)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The newest checkpoint.
    pub fn latest(&self) -> Option<PathBuf> {
        pointed(&self.path, LATEST)
    }

    /// The checkpoint of the best examination.
    pub fn best(&self) -> Option<PathBuf> {
        pointed(&self.path, BEST)
    }

    /// Keeps a checkpoint: the file first, then the pointers to it, then older
    /// files go. Whatever moment this is cut short at, `latest` names a whole file.
    ///
    /// # Errors
    /// When it cannot be written; what was kept before is intact.
    pub fn keep(
        &self,
        slots: &ParameterLayout,
        state: &State,
        progress: &Progress,
        is_best: bool,
    ) -> Result<PathBuf, TrainError> {
        let name = format!("step-{:09}.safetensors", progress.step);
        let path = self.path.join(CHECKPOINTS).join(&name);
        checkpoint::write(&path, slots, state, progress)?;
        if is_best {
            write_whole(&self.path.join(BEST), format!("{name}\n").as_bytes())?;
        }
        write_whole(&self.path.join(LATEST), format!("{name}\n").as_bytes())?;
        self.forget_old()?;
        Ok(path)
    }

    fn forget_old(&self) -> Result<(), TrainError> {
        let folder = self.path.join(CHECKPOINTS);
        let failed = |source| TrainError::file("tidy up", &folder, source);
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".tmp") {
                // Left behind by a run that was killed while it wrote.
                fs::remove_file(&path).map_err(failed)?;
            } else if name.starts_with("step-") {
                found.push(path);
            }
        }
        found.sort();
        let best = self.best();
        let old = found.len().saturating_sub(KEEP_LAST);
        for path in found[..old].iter().filter(|path| Some(*path) != best.as_ref()) {
            fs::remove_file(path).map_err(failed)?;
        }
        Ok(())
    }

    /// Writes a picture.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn picture(&self, name: &str, step: u64, png: &[u8]) -> Result<(), TrainError> {
        let folder = self.path.join("pictures");
        fs::create_dir_all(&folder)
            .map_err(|source| TrainError::file("create", &folder, source))?;
        write_whole(&folder.join(format!("{name}-{step:09}.png")), png)
    }
}

/// The checkpoint that a pointer of a run folder names, if there is one.
fn pointed(folder: &Path, pointer: &str) -> Option<PathBuf> {
    let name = fs::read_to_string(folder.join(pointer)).ok()?;
    let path = folder.join(CHECKPOINTS).join(name.trim());
    path.is_file().then_some(path)
}
