//! The models that a report is about.

use std::path::{Path, PathBuf};

use genvp_infer::{Model, Weights};

use super::super::common_args::warn_of_seed;
use crate::console::Console;

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To answer puzzles and name their rules.
    Answer,
    /// To draw: puzzles from rules, and answers.
    Draw,
}

/// A model of the report.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name or file.
    pub path: PathBuf,
    /// The digest of its weights, or why there are none.
    pub digest: Result<String, String>,
    /// What it was taught with.
    pub taught_with: Option<String>,
}

/// The model for each role; the same one where the user named one.
#[derive(Clone, Debug)]
pub struct Models {
    answers: Subject,
    draws: Subject,
}

impl Role {
    /// The model that commands of this kind take where none is named.
    pub fn usual(self) -> &'static str {
        match self {
            Self::Answer => Model::SOLVER,
            Self::Draw => Model::DEFAULT,
        }
    }
}

impl Subject {
    fn find(path: &Path, seed: u64, console: &Console) -> Self {
        let digest = Weights::find(path).and_then(|weights| weights.digests());
        let digest = digest.map(|digests| digests.found).map_err(|error| error.to_string());
        if let Err(error) = &digest {
            console.warn(&format!("no weights: {error}"));
        }
        let card = Weights::find(path).and_then(|weights| weights.card()).ok();
        if let Some(card) = &card {
            warn_of_seed(card, seed, console);
        }
        Self { path: path.to_owned(), digest, taught_with: card.map(|card| card.taught_with()) }
    }
}

impl Models {
    /// The model that the user named, or the usual ones; warns of what is missing, and of a seed
    /// that they know.
    pub fn find(named: Option<&Path>, seed: u64, console: &Console) -> Self {
        let usual = |role: Role| Subject::find(Path::new(role.usual()), seed, console);
        match named {
            Some(path) => {
                let own = Subject::find(path, seed, console);
                Self { answers: own.clone(), draws: own }
            }
            None => Self { answers: usual(Role::Answer), draws: usual(Role::Draw) },
        }
    }

    /// The model that is asked for this.
    pub fn of(&self, role: Role) -> &Subject {
        match role {
            Role::Answer => &self.answers,
            Role::Draw => &self.draws,
        }
    }

    /// What the page says of them: names and words.
    pub fn facts(&self) -> Vec<(String, String)> {
        let roles: &[(&str, Role)] = if self.answers.path == self.draws.path {
            &[("model", Role::Answer)]
        } else {
            &[("model that answers", Role::Answer), ("model that draws", Role::Draw)]
        };
        let mut facts = Vec::new();
        for (name, role) in roles {
            let own = self.of(*role);
            let weights = match &own.digest {
                Ok(digest) => format!("{}, sha256 {digest}", own.path.display()),
                Err(why) => format!("none: {why}"),
            };
            facts.push(((*name).to_owned(), weights));
            if let Some(taught_with) = &own.taught_with {
                facts.push((format!("{name}, taught with"), taught_with.clone()));
            }
        }
        facts
    }
}
