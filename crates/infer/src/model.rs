//! A trained model, from the box or from a file.

use std::path::{Path, PathBuf};

use burn::tensor::Device;
use genvp_model::{AnyModel, DeviceChoice, ModelConfig, PuzzleConfig, VoteConfig};
use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Raven;

use crate::card::Card;
use crate::digest;
use crate::error::InferError;

/// A model in the box: its name, and its weights where the program was built with them.
#[cfg(feature = "weights")]
macro_rules! boxed {
    ($name:literal) => {
        (
            $name,
            Some(include_bytes!(concat!("../../../weights/", $name, ".safetensors")).as_slice()),
        )
    };
}
#[cfg(not(feature = "weights"))]
macro_rules! boxed {
    ($name:literal) => {
        ($name, None)
    };
}

/// The models in the box.
const BOX: [(&str, Option<&[u8]>); 4] =
    [boxed!("raven-cpu-64"), boxed!("raven-rules-64"), boxed!("pgm-64-cpu"), boxed!("vad-64-cpu")];

/// The model of each family that is used where none is named.
const DEFAULTS: [(&str, &str); 3] =
    [("raven", Model::DEFAULT), ("pgm", "pgm-64-cpu"), ("vad", "vad-64-cpu")];

/// The model of each family that answers puzzles and names their rules where none is named.
const SOLVERS: [(&str, &str); 3] =
    [("raven", Model::SOLVER), ("pgm", "pgm-64-cpu"), ("vad", "vad-64-cpu")];

/// The majority vote among the choices, which has no weights.
const VOTE: &str = "vote";

/// No weights of this program are larger: the largest preset has 41 MB.
const MOST_BYTES: u64 = 1 << 30;

/// A trained model on a device, with its card.
#[derive(Debug)]
pub struct Model {
    genvp: AnyModel,
    device: Device,
    card: Card,
}

impl Model {
    /// The model that is used where none is named: it can do everything, and draws best.
    pub const DEFAULT: &str = "raven-cpu-64";

    /// The model that answers puzzles where none is named: it answers best, above all puzzles
    /// with values that training never showed.
    pub const SOLVER: &str = "raven-rules-64";

    /// The name of the box's model for puzzles of a family.
    ///
    /// # Errors
    /// When there is none.
    pub fn default_of(family: &dyn Family) -> Result<&'static str, InferError> {
        Self::of_family(&DEFAULTS, family)
    }

    /// The name of the box's model that answers puzzles of a family.
    ///
    /// # Errors
    /// When there is none.
    pub fn solver_of(family: &dyn Family) -> Result<&'static str, InferError> {
        Self::of_family(&SOLVERS, family)
    }

    fn of_family(
        models: &[(&str, &'static str)],
        family: &dyn Family,
    ) -> Result<&'static str, InferError> {
        let own = models.iter().find(|(id, _)| *id == family.id());
        own.map(|(_, name)| *name).ok_or_else(|| InferError::NoModelOf {
            family: family.id(),
            known: Self::names().join(", "),
        })
    }

    /// The family whose puzzles the model of that name answers where none is named.
    pub fn solves_by_default(name: &str) -> Option<&'static str> {
        SOLVERS.iter().find(|(_, own)| *own == name).map(|(family, _)| *family)
    }

    /// The family for which the model of that name is used, but for answering, where none is named.
    pub fn default_for(name: &str) -> Option<&'static str> {
        DEFAULTS.iter().find(|(_, own)| *own == name).map(|(family, _)| *family)
    }

    /// The family of puzzles that it is for.
    pub fn family(&self) -> Option<&'static dyn Family> {
        self.config().puzzle().family()
    }

    /// The names of the models in the box, and of the vote that needs no weights.
    pub fn names() -> Vec<&'static str> {
        BOX.iter().map(|(name, _)| *name).chain([VOTE]).collect()
    }

    /// The default model in the box, on the CPU.
    ///
    /// ```
    /// # #[cfg(feature = "weights")] {
    /// let model = genvp_infer::Model::shipped()?;
    /// assert_eq!(model.card().name(), "raven-cpu-64");
    /// # }
    /// # Ok::<(), genvp_infer::InferError>(())
    /// ```
    ///
    /// # Errors
    /// When the program was built without it.
    pub fn shipped() -> Result<Self, InferError> {
        let (device, _) = DeviceChoice::Cpu.open()?;
        Self::open(Self::DEFAULT, &device)
    }

    /// The model in the box of that name, or the one in the file of that name.
    ///
    /// # Errors
    /// When there is none, when it was changed after it was written, or when
    /// its weights do not fit what it says of itself (every mismatch is listed).
    pub fn open(name: impl AsRef<Path>, device: &Device) -> Result<Self, InferError> {
        let weights = Weights::find(name)?;
        weights.load(device)
    }

    /// A model of one's own making, such as one that is still being trained.
    pub fn of(genvp: AnyModel, card: Card, device: &Device) -> Self {
        Self { genvp, device: device.clone(), card }
    }

    /// What is known about it.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// What it is made of.
    pub fn config(&self) -> &ModelConfig {
        self.card.config()
    }

    /// The network itself.
    pub fn genvp(&self) -> &AnyModel {
        &self.genvp
    }

    /// Where it computes.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Whether it computes on the CPU.
    pub(crate) fn is_on_cpu(&self) -> bool {
        self.device == Device::flex()
    }
}

/// A weights file in memory, not yet looked into.
#[derive(Debug)]
pub struct Weights {
    bytes: std::borrow::Cow<'static, [u8]>,
    /// The name of the model: in the box, or of the file.
    pub name: String,
    /// The file; the model in the box has none.
    pub path: Option<PathBuf>,
}

impl Weights {
    /// The weights in the box of that name, or those in the file of that name.
    ///
    /// # Errors
    /// When there are none, or the file cannot be read.
    pub fn find(name: impl AsRef<Path>) -> Result<Self, InferError> {
        Self::find_for(name, &Raven)
    }

    /// The same for puzzles of a family, which the majority vote is then for.
    ///
    /// # Errors
    /// When there are none, or the file cannot be read.
    pub fn find_for(name: impl AsRef<Path>, family: &dyn Family) -> Result<Self, InferError> {
        let path = name.as_ref();
        if let Some((name, weights)) = BOX.iter().find(|(name, _)| path.as_os_str() == *name) {
            let bytes =
                weights.ok_or_else(|| InferError::NotInTheBox { name: (*name).to_owned() })?;
            return Ok(Self { bytes: bytes.into(), name: (*name).to_owned(), path: None });
        }
        if path.as_os_str() == VOTE {
            return Self::vote(family);
        }
        let read = |source| InferError::Read { path: path.to_owned(), source };
        let found = match std::fs::metadata(path) {
            Ok(file) if file.is_dir() => return Err(read(std::io::ErrorKind::IsADirectory.into())),
            Ok(file) => file.len(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let name = path.display().to_string();
                return Err(InferError::UnknownModel { name, known: Model::names().join(", ") });
            }
            Err(error) => return Err(read(error)),
        };
        if found > MOST_BYTES {
            return Err(InferError::TooLarge { path: path.to_owned(), found, limit: MOST_BYTES });
        }
        let bytes = std::fs::read(path).map_err(read)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { bytes: bytes.into(), name, path: Some(path.to_owned()) })
    }

    /// The majority vote for puzzles of a family, as a file without tensors.
    fn vote(family: &dyn Family) -> Result<Self, InferError> {
        let wrong = |source| InferError::Weights { origin: VOTE.to_owned(), source };
        let config = ModelConfig::from(VoteConfig { puzzle: PuzzleConfig::of(family) });
        let model = config.init(&Device::flex()).map_err(|error| wrong(error.into()))?;
        let card =
            serde_json::json!({ "note": "a majority vote among the choices, the question unseen" });
        let bytes = model.to_bytes(card).map_err(wrong)?;
        Ok(Self { bytes: bytes.into(), name: VOTE.to_owned(), path: None })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where they come from, for messages.
    pub fn origin(&self) -> String {
        self.path.as_ref().map_or_else(|| self.name.clone(), |path| path.display().to_string())
    }

    /// What the file says of its digest.
    ///
    /// # Errors
    /// When it is no weights file.
    pub fn digests(&self) -> Result<digest::Digests, InferError> {
        digest::read(&self.bytes).map_err(|source| self.wrong(source))
    }

    /// The card alone, without the model.
    ///
    /// # Errors
    /// When it is no weights file.
    pub fn card(&self) -> Result<Card, InferError> {
        let header = genvp_model::read_header(&self.bytes).map_err(|source| self.wrong(source))?;
        Ok(Card::new(&self.name, header.config, header.card))
    }

    /// The model. Weights that carry a digest are checked against it; those in
    /// the box are as trustworthy as the program they are part of.
    ///
    /// # Errors
    /// When the weights were changed, or do not fit (every mismatch is listed).
    pub fn load(&self, device: &Device) -> Result<Model, InferError> {
        if self.path.is_some() {
            let digests = self.digests()?;
            if digests.holds() == Some(false) {
                let wanted = digests.written.unwrap_or_default();
                let origin = self.origin();
                return Err(InferError::Changed { origin, found: digests.found, wanted });
            }
        }
        let (genvp, card) =
            AnyModel::from_bytes(&self.bytes, device).map_err(|source| self.wrong(source))?;
        let card = Card::new(&self.name, genvp.config(), card);
        Ok(Model { genvp, device: device.clone(), card })
    }

    fn wrong(&self, source: genvp_model::StoreError) -> InferError {
        InferError::Weights { origin: self.origin(), source }
    }
}
