//! The `slots` family: one block of Z_o per component and attribute group.

use serde::{Deserialize, Serialize};

use super::block_layout::Blocks;

/// One relation network, told the attribute group, reads the same block of the
/// panels of a row; it is shared by rows, components and groups. Heads per kind
/// of expert join the rows and give the rules of that block's attributes.
///
/// Block by block a puzzle is solved and imagined attribute by attribute: a
/// stronger inductive bias than the paper's, close to RAISE's concepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotsConfig {
    /// Components of a panel (RAVEN: 2).
    pub components: usize,
    /// Numbers in the block of each attribute group (RAVEN: number/position, type, size, color).
    pub widths: Vec<usize>,
    /// Rows of R that each group stands for (RAVEN: 3, 1, 1, 1).
    pub rule_rows: Vec<usize>,
    /// The width at which the relation network reads a block of any group.
    pub code: usize,
    /// Width of a row's embedding.
    pub relation: usize,
    /// Width of the hidden layers.
    pub hidden: usize,
    /// Width of the network that compares rows with each other; 0: they are not compared.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compare: usize,
    /// Of each group, whether its rules are found by how the panels of a row differ alone, without
    /// telling heads the group; empty: of none. What is learned of one such group is known of all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<bool>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(width: &usize) -> bool {
    *width == 0
}

impl SlotsConfig {
    pub(crate) fn blocks(&self) -> Blocks {
        Blocks {
            components: self.components,
            widths: self.widths.clone(),
            rule_rows: self.rule_rows.clone(),
            code: self.code,
            relation: self.relation,
            hidden: self.hidden,
            compare: self.compare,
            differences: self.differences.clone(),
        }
    }
}
