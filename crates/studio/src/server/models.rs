//! The models that can be asked, by name: those that the studio was started with, and those in
//! the box, which are read when they are first asked. Where a request names none, the first that
//! the studio was started with answers, or else the one that the command would take. No name from
//! a request is ever a path.

use std::sync::{Arc, Mutex, PoisonError};

use burn::tensor::Device;
use genvp_infer::{Card, InferError, Model, Weights};
use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;
use serde_json::{Value, json};

use crate::engine::Refusal;

/// The models that can be asked.
#[derive(Debug)]
pub struct Models {
    /// Where those in the box compute.
    device: Device,
    /// Those that were given first, then those in the box.
    all: Vec<Entry>,
    /// How many were given.
    given: usize,
}

#[derive(Debug)]
struct Entry {
    card: Card,
    /// From what it is read; those that are here already need none.
    weights: Option<Weights>,
    model: Mutex<Option<Arc<Model>>>,
}

impl Entry {
    fn loaded(model: Model) -> Self {
        let card = model.card().clone();
        Self { card, weights: None, model: Mutex::new(Some(Arc::new(model))) }
    }

    /// A model of the box that answers puzzles from pictures; the vote looks at scenes.
    fn boxed(name: &str) -> Option<Self> {
        let weights = Weights::find(name).ok()?;
        let card = weights.card().ok()?;
        card.config().batch_shape().size?;
        Some(Self { card, weights: Some(weights), model: Mutex::default() })
    }

    fn family(&self) -> Option<&'static dyn Family> {
        self.card.config().puzzle().family()
    }

    fn is_of(&self, family: &dyn Family) -> bool {
        self.family().is_some_and(|own| own.id() == family.id())
    }
}

impl Models {
    /// The given models in this order, and then those in the box.
    pub fn new(device: Device, given: Vec<Model>) -> Self {
        let mut all: Vec<Entry> = given.into_iter().map(Entry::loaded).collect();
        let given = all.len();
        for name in Model::names() {
            if !all.iter().any(|entry| entry.card.name() == name) {
                all.extend(Entry::boxed(name));
            }
        }
        Self { device, all, given }
    }

    /// What there is, for choosing.
    pub fn list(&self) -> Value {
        let one = |entry: &Entry| {
            let family = entry.family();
            let is = |asked: Option<&Entry>| asked.is_some_and(|asked| std::ptr::eq(asked, entry));
            json!({
                "name": entry.card.name(),
                "family": family.map(|family| family.id()),
                // Whether it answers puzzles of its family where no model is named.
                "default": is(family.and_then(|family| self.solver(family))),
                // Whether it draws and is looked into.
                "draws": is(self.drawer()),
                // Whether it is told the parameters of rules when it draws.
                "parameters": entry.card.config().batch_shape().parameters > 0,
            })
        };
        json!({ "models": self.all.iter().map(one).collect::<Vec<_>>() })
    }

    /// The card of a model, or of the one that draws.
    ///
    /// # Errors
    /// When there is no model of that name.
    pub fn card(&self, name: Option<&str>) -> Result<&Card, Refusal> {
        let entry =
            name.map_or_else(|| self.drawer().ok_or_else(no_artist), |name| self.named(name));
        entry.map(|entry| &entry.card)
    }

    /// The name of the model that draws, if there is one.
    pub fn artist_name(&self) -> Option<&str> {
        self.drawer().map(|entry| entry.card.name())
    }

    /// The model of that name, or the one that answers puzzles of the family; `None` where no
    /// model is for it.
    ///
    /// # Errors
    /// When there is no model of that name, it is for another family, or it cannot be read.
    pub fn pick(
        &self,
        name: Option<&str>,
        family: &'static dyn Family,
        file: &str,
    ) -> Result<Option<Arc<Model>>, Refusal> {
        let entry = match name {
            Some(name) => Some(self.named(name)?),
            None => self.solver(family),
        };
        let Some(entry) = entry else { return Ok(None) };
        if !entry.is_of(family) {
            let other = InferError::OtherFamily {
                file: file.to_owned(),
                model: entry.card.name().to_owned(),
                wanted: entry.family().map_or("no family", |own| own.id()),
                found: family.id(),
            };
            return Err(Refusal::impossible(other.to_string())
                .hint("choose a model of that family, or none: then it is chosen by the family"));
        }
        self.open(entry).map(Some)
    }

    /// The model that draws and is looked into.
    ///
    /// # Errors
    /// When there is none for RAVEN's puzzles.
    pub fn artist(&self) -> Result<Arc<Model>, Refusal> {
        self.open(self.drawer().ok_or_else(no_artist)?)
    }

    fn solver(&self, family: &dyn Family) -> Option<&Entry> {
        self.default(family, Model::solver_of(family).ok())
    }

    fn drawer(&self) -> Option<&Entry> {
        self.default(&Raven, Model::default_of(&Raven).ok())
    }

    /// The first of a family that was given, or else the one of that name in the box.
    fn default(&self, family: &dyn Family, boxed: Option<&str>) -> Option<&Entry> {
        let given = self.all[..self.given].iter().find(|entry| entry.is_of(family));
        given.or_else(|| self.all.iter().find(|entry| Some(entry.card.name()) == boxed))
    }

    fn named(&self, name: &str) -> Result<&Entry, Refusal> {
        self.all.iter().find(|entry| entry.card.name() == name).ok_or_else(|| {
            let known: Vec<&str> = self.all.iter().map(|entry| entry.card.name()).collect();
            Refusal::impossible("model: there is no model of that name")
                .hint(format!("known are {}", known.join(", ")))
        })
    }

    fn open(&self, entry: &Entry) -> Result<Arc<Model>, Refusal> {
        // A panic while weights were read leaves none behind.
        let mut model = entry.model.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*model {
            return Ok(model.clone());
        }
        let missing = || Refusal::new(500, "a model is not there any more");
        let weights = entry.weights.as_ref().ok_or_else(missing)?;
        let read = Arc::new(weights.load(&self.device)?);
        *model = Some(read.clone());
        Ok(read)
    }
}

fn no_artist() -> Refusal {
    Refusal::impossible("there is no model of RAVEN's puzzles")
}
