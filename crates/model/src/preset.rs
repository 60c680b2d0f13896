//! Named settings, read from `presets/*.toml`.

use serde::{Deserialize, Serialize};

use crate::architecture::ModelConfig;
use crate::config::ConfigError;

/// A named model with its training settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The name it is asked for by.
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// The model.
    pub model: ModelConfig,
    /// How it is trained: read by the trainer, not by the model.
    #[serde(default)]
    pub train: toml::Table,
}

/// Why a preset cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// There is none of that name.
    #[error("there is no preset `{name}`; there are {}", names().join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// The text is not a preset.
    #[error("the preset cannot be read: {0}")]
    Syntax(#[from] toml::de::Error),
    /// The model cannot be built.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// The presets in the box.
const PRESETS: &[(&str, &str)] = &[
    ("cpu-64", include_str!("../../../presets/cpu-64.toml")),
    ("paper-64", include_str!("../../../presets/paper-64.toml")),
    ("paper-128", include_str!("../../../presets/paper-128.toml")),
    ("paper-224", include_str!("../../../presets/paper-224.toml")),
    ("paper-64-resnet", include_str!("../../../presets/paper-64-resnet.toml")),
    ("paper-64-vit", include_str!("../../../presets/paper-64-vit.toml")),
    ("paper-cnn-s", include_str!("../../../presets/paper-cnn-s.toml")),
    ("raven-rules-64", include_str!("../../../presets/raven-rules-64.toml")),
    ("raven-differences-64", include_str!("../../../presets/raven-differences-64.toml")),
    ("pgm-64", include_str!("../../../presets/pgm-64.toml")),
    ("pgm-cpu-64", include_str!("../../../presets/pgm-cpu-64.toml")),
    ("vad-cpu-64", include_str!("../../../presets/vad-cpu-64.toml")),
    ("vad-64", include_str!("../../../presets/vad-64.toml")),
];

/// The names of all presets in the box.
pub fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|(name, _)| *name).collect()
}

impl Preset {
    /// The preset of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Self, PresetError> {
        let found = PRESETS.iter().find(|(n, _)| *n == name);
        let (_, text) = found.ok_or_else(|| PresetError::Unknown { name: name.into() })?;
        Self::parse(text)
    }

    /// Reads a preset and checks that its model can be built.
    ///
    /// # Errors
    /// When the text is no preset, has unknown keys, or its model cannot be built.
    pub fn parse(text: &str) -> Result<Self, PresetError> {
        let preset: Self = toml::from_str(text)?;
        preset.model.check()?;
        Ok(preset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_parses_and_has_its_own_name() {
        for name in names() {
            let preset = Preset::named(name).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(preset.name, name);
            assert!(!preset.train.is_empty(), "{name} says how it is trained");
        }
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        let text = include_str!("../../../presets/cpu-64.toml");
        for section in [
            "[model.puzzle]",
            "[model.latent]",
            "[model.image]",
            "[model.image.encoder]",
            "[model.experts]",
        ] {
            let text = text.replace(section, &format!("{section}\ncolour = 3"));
            let error = Preset::parse(&text).unwrap_err().to_string();
            assert!(error.contains("colour"), "{section}: {error}");
        }
    }

    #[test]
    fn everything_that_does_not_fit_is_listed() {
        let text = include_str!("../../../presets/cpu-64.toml");
        let text = text.replace("rows = 3", "rows = 0").replace("size = 64", "size = 65");
        let error = Preset::parse(&text).unwrap_err().to_string();
        assert!(error.contains("0x3") && error.contains("65 px"), "{error}");
    }
}
