//! What can be told about a puzzle's layout.

use genvp_puzzle::{Attribute, Layout};

use crate::rule_table::RuleTable;
use crate::rules::RuleProbabilities;

/// What is told about the layout of a puzzle of RAVEN's family, and how its rules are named by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutReading {
    /// The layout: by the dividing line in all panels, else by the model's own
    /// word, which not every model gives. `None` if neither is sure.
    pub layout: Option<Layout>,
    /// How the components of its panels stand to each other.
    pub structure: Structure,
}

impl LayoutReading {
    /// From the dividing line, what the model says of every layout, and the rules that it sees with
    /// its answer.
    pub(crate) fn new(line: Option<Structure>, said: Option<&[f32]>, rules: &RuleTable) -> Self {
        let layout = layout_of(line, said);
        let by_rules = || Structure::by_rules(&RuleProbabilities::of(rules));
        Self { layout, structure: layout.map_or_else(by_rules, Structure::of) }
    }

    /// A layout that is known.
    pub fn of(layout: Layout) -> Self {
        Self { layout: Some(layout), structure: Structure::of(layout) }
    }

    /// The layout by which components are named: the puzzle's, or one whose
    /// components have the same names.
    pub fn naming(&self) -> Layout {
        self.layout.unwrap_or_else(|| self.structure.naming())
    }

    /// The rules in words, such as `type=progression size=constant`.
    pub fn rules_text(&self, rules: &RuleTable) -> String {
        RuleProbabilities::of(rules).matrix().text(self.naming())
    }

    /// The name of a row of a rule matrix, such as `out.size`.
    pub fn row_name(&self, row: usize) -> String {
        let attribute = Attribute::ALL[row % Attribute::ALL.len()];
        let component = self.naming().components().get(row / Attribute::ALL.len()).copied();
        match component.map(|component| component.prefix()) {
            Some(Some(prefix)) => format!("{prefix}.{attribute}"),
            Some(None) => attribute.to_string(),
            None => format!("second.{attribute}"),
        }
    }

    /// How many rows of a rule matrix belong to components that the panels have.
    pub fn rows(self) -> usize {
        self.naming().components().len() * Attribute::ALL.len()
    }
}

/// How the components of a panel stand to each other: enough to name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// One component: C-S, 2x2 or 3x3.
    One,
    /// Left and right: L-R, by the upright line in all panels.
    LeftRight,
    /// Up and down: U-D, by the level line in all panels.
    UpDown,
    /// Out and in: O-IC or O-IG.
    OutIn,
}

impl Structure {
    /// A layout whose components have the names of this structure, for texts.
    pub fn naming(self) -> Layout {
        match self {
            Self::One => Layout::CenterSingle,
            Self::LeftRight => Layout::LeftRight,
            Self::UpDown => Layout::UpDown,
            Self::OutIn => Layout::OutInCenter,
        }
    }

    /// The structure of a layout.
    pub(crate) fn of(layout: Layout) -> Self {
        match layout {
            Layout::CenterSingle | Layout::DistributeFour | Layout::DistributeNine => Self::One,
            Layout::LeftRight => Self::LeftRight,
            Layout::UpDown => Self::UpDown,
            Layout::OutInCenter | Layout::OutInGrid => Self::OutIn,
        }
    }

    /// The structure that a dividing line in all panels of the question tells.
    pub(crate) fn by_line(question: &[f32], side: usize) -> Option<Self> {
        if has_line(question, side, |panel, at| panel[at * side + side / 2]) {
            Some(Self::LeftRight)
        } else if has_line(question, side, |panel, at| panel[side / 2 * side + at]) {
            Some(Self::UpDown)
        } else {
            None
        }
    }

    /// The structure of panels without a dividing line: a second component is
    /// there if the model sees rules in it.
    pub(crate) fn by_rules(rules: &RuleProbabilities) -> Self {
        if rules.active_of_component(1) >= 2.0 { Self::OutIn } else { Self::One }
    }
}

/// The layout that a line in all panels, or else the model, is sure of.
pub(crate) fn layout_of(line: Option<Structure>, said: Option<&[f32]>) -> Option<Layout> {
    let fits = |layout: &Layout| line.is_none_or(|line| Structure::of(*layout) == line);
    let mut fitting = Layout::ALL.into_iter().filter(fits);
    if let (Some(only), None) = (fitting.next(), fitting.next()) {
        return Some(only);
    }
    let said = Layout::ALL.into_iter().zip(said?).filter(|(layout, _)| fits(layout));
    let (layout, &most) = said.max_by(|a, b| a.1.total_cmp(b.1))?;
    // More likely than not.
    (most > 0.0).then_some(layout)
}

/// The line is one black pixel of 160 wide: that much ink of a pixel of the model's,
/// less a fifth for pictures that are not sharp.
fn has_line(question: &[f32], side: usize, pixel: impl Fn(&[f32], usize) -> f32) -> bool {
    let least = 0.8 * (side as f32 / genvp_puzzle::render::SIDE as f32).min(1.0);
    let mut panels = question.chunks_exact(side * side);
    panels.all(|panel| (0..side).all(|at| pixel(panel, at) >= least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::make::{Maker, Request};
    use genvp_puzzle::raven::FORM;
    use genvp_puzzle::{RuleMatrix, Set, render};

    /// What a perfect model would say.
    fn truth(rules: &RuleMatrix) -> RuleProbabilities {
        let mut cells = [0.0; RuleProbabilities::CELLS];
        for (row, column) in rules.columns().into_iter().enumerate() {
            cells[row * RuleMatrix::RULES + column] = 1.0;
        }
        RuleProbabilities::of_cells(&cells)
    }

    #[test]
    fn the_structure_of_every_layout_is_told() {
        for side in [64, 128] {
            for layout in Layout::ALL {
                let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
                for index in 0..20 {
                    let puzzle = maker.puzzle(11, index).unwrap();
                    let mut ink = vec![0.0; FORM.context() * side * side];
                    for (panel, out) in puzzle.context.iter().zip(ink.chunks_exact_mut(side * side))
                    {
                        render::ink_into(panel, layout, puzzle.domain, side, out);
                    }
                    let rules = truth(&RuleMatrix::of(&puzzle.rules));
                    let found = Structure::by_line(&ink, side)
                        .unwrap_or_else(|| Structure::by_rules(&rules));
                    assert_eq!(found, Structure::of(layout), "{layout}");
                    let prefix =
                        |l: Layout| l.components().iter().map(|p| p.prefix()).collect::<Vec<_>>();
                    assert_eq!(prefix(found.naming()), prefix(layout), "{layout}: {found:?}");
                }
            }
        }
    }
    #[test]
    fn a_line_is_believed_before_the_model() {
        let mut said = [-0.9; Layout::ALL.len()];
        said[Layout::OutInGrid.index()] = 0.8;
        assert_eq!(layout_of(None, Some(&said)), Some(Layout::OutInGrid));
        assert_eq!(layout_of(Some(Structure::UpDown), Some(&said)), Some(Layout::UpDown));
        assert_eq!(layout_of(None, Some(&[-0.1; Layout::ALL.len()])), None);
        assert_eq!(layout_of(None, None), None);
    }
}
