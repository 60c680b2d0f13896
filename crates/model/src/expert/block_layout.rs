//! How Z_o is cut into blocks.

use super::differences::PANELS;
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
    /// Of each group, whether its rules are found by differences alone; empty: of none.
    pub differences: Vec<bool>,
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
        if !self.differences.is_empty() && self.differences.len() != self.widths.len() {
            problems.push(format!(
                "experts: differences for {} groups, {} block widths",
                self.differences.len(),
                self.widths.len()
            ));
        }
        if self.any_by_differences() && (puzzle.columns != PANELS || self.compare == 0) {
            problems.push(format!(
                "experts: differences are of rows of {PANELS} panels, and need compare above 0"
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

    /// Whether the rules of a group are found by differences alone.
    pub(crate) fn by_differences(&self, group: usize) -> bool {
        self.differences.get(group).copied().unwrap_or(false)
    }

    pub(crate) fn any_by_differences(&self) -> bool {
        self.differences.contains(&true)
    }

    /// Of each group, as which one heads know it: those whose rules are found by differences are
    /// not told apart.
    pub(crate) fn told_groups(&self) -> Vec<usize> {
        let first = (0..self.groups()).find(|&group| self.by_differences(group));
        (0..self.groups())
            .map(|group| first.filter(|_| self.by_differences(group)).unwrap_or(group))
            .collect()
    }

    /// Rows of R that the largest group stands for.
    pub(crate) fn most_rule_rows(&self) -> usize {
        self.rule_rows.iter().copied().max().unwrap_or(0)
    }
}
