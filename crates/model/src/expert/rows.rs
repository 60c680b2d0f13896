//! The `rows` family: block experts with a single block.

use serde::{Deserialize, Serialize};

use super::block_layout::Blocks;
use crate::config::{LatentConfig, PuzzleConfig};

/// One row encoder, shared by all rows and by blanked panels, reads all of Z_o;
/// heads per kind of expert join the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsConfig {
    /// Width of a row's embedding.
    pub relation: usize,
    /// Width of the hidden layers.
    pub hidden: usize,
}

impl RowsConfig {
    pub(crate) fn blocks(&self, puzzle: &PuzzleConfig, latent: &LatentConfig) -> Blocks {
        Blocks {
            components: 1,
            widths: vec![latent.relevant],
            rule_rows: vec![puzzle.attributes],
            code: latent.relevant,
            relation: self.relation,
            hidden: self.hidden,
            compare: 0,
            differences: Vec::new(),
        }
    }
}
