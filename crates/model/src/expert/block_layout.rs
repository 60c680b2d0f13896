//! How Z_o is cut into blocks.

use crate::config::{LatentConfig, PuzzleConfig};

/// How Z_o is cut into blocks: for each component, one block per attribute group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub components: usize,
    pub widths: Vec<usize>,
    pub rule_rows: Vec<usize>,
    pub code: usize,
    pub relation: usize,
    pub hidden: usize,
    pub compare: usize,
}

impl Blocks {
    pub(crate) fn problems(&self, puzzle: &PuzzleConfig, latent: &LatentConfig) -> Vec<String> {
        let mut problems = Vec::new();
        let positive = [self.components, self.code, self.relation, self.hidden];
        if positive.contains(&0)
            || self.widths.is_empty()
            || self.widths.contains(&0)
            || self.rule_rows.contains(&0)
        {
            problems.push("experts: components and all widths must not be 0".into());
        }
        if self.widths.len() != self.rule_rows.len() {
            problems.push(format!(
                "experts: {} block widths but rule rows for {} groups",
                self.widths.len(),
                self.rule_rows.len()
            ));
        }
        let numbers = self.components * self.panel_width();
        if numbers != latent.relevant {
            problems.push(format!(
                "experts: the blocks hold {numbers} numbers but latent.relevant is {}",
                latent.relevant
            ));
        }
        let rules = self.components * self.rule_rows.iter().sum::<usize>();
        if rules != puzzle.attributes {
            problems.push(format!(
                "experts: the blocks stand for {rules} rows of R but puzzle.attributes is {}",
                puzzle.attributes
            ));
        }
        if latent.row_irrelevant != 0 {
            problems.push("experts: only the dense family has rule-irrelevant row latents (latent.row_irrelevant)".into());
        }
        problems
    }

    /// Numbers of Z_o in one component.
    pub(crate) fn panel_width(&self) -> usize {
        self.widths.iter().sum()
    }

    pub(crate) fn groups(&self) -> usize {
        self.widths.len()
    }

    pub(crate) fn slots(&self) -> usize {
        self.components * self.groups()
    }

    /// Rows of R that the largest group stands for.
    pub(crate) fn most_rule_rows(&self) -> usize {
        self.rule_rows.iter().copied().max().unwrap_or(0)
    }
}
