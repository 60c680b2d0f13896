//! A puzzle of relations behind the seam of all families: what PGM and VAD say of
//! theirs, and what follows from it for both.

use std::fmt::Debug;

use super::{
    Attribute, Axis, Broken, Limit, Panel, RULES, Triple, codes, majority_vote, minority_vote,
    object_counts, render,
};
use crate::family::{AnyPuzzle, Audit, Facts, Family, RuleLabels, Stratum, Truth};

/// A puzzle whose panels follow relations.
pub trait Related: Debug + Send + Sync + 'static {
    /// Its family.
    fn family(&self) -> &'static dyn Family;

    /// What it is counted under.
    fn stratum(&self) -> Stratum;

    /// Which choice is right, counted from 0.
    fn target(&self) -> u8;

    /// The panels that are given.
    fn context(&self) -> &[Panel];

    /// The possible answers.
    fn choices(&self) -> &[Panel];

    /// The triples that hold in the completed puzzle, and the lines along which they run.
    fn governed(&self) -> Vec<(Triple, Axis)>;

    /// Whether the governing triple of this number holds with a choice.
    fn keeps(&self, choice: usize, number: usize) -> bool;

    /// The rules one by one, in the family's text form.
    fn rules(&self) -> Vec<String>;

    /// What a choice breaks.
    fn broken_by(&self, choice: usize) -> Vec<Broken>;

    /// The attributes that a wrong choice was made by.
    fn changed_by(&self, choice: usize) -> Vec<Attribute>;

    /// What there is to find out about its truth.
    fn findings(&self) -> Findings;

    /// Whether the training split of a regime may have such rules, and the colors and sizes that it
    /// may show; nothing if the family has no such regime.
    fn in_training(&self, regime: &str) -> Option<(bool, Limit)>;
}

/// What was found out about the truth of a puzzle.
pub struct Findings {
    /// Stated relations that do not hold.
    pub untrue: Vec<String>,
    /// Choices that satisfy what is stated.
    pub right: Vec<usize>,
    /// Pairs of choices that show the same scene.
    pub twins: Vec<(usize, usize)>,
    /// Stated relations that hold, while no line shows which they are.
    pub unshown: usize,
    /// Stated relations that no wrong choice breaks alone.
    pub unneeded: usize,
    /// The choices that satisfy something else, in order.
    pub others: Vec<usize>,
}

fn panel<P: Related>(puzzle: &P, index: usize) -> &Panel {
    let context = puzzle.context();
    context.get(index).unwrap_or_else(|| &puzzle.choices()[index - context.len()])
}

/// The labels of the triples that are kept.
fn labels(governed: &[(Triple, Axis)], is_kept: impl Fn(usize) -> bool) -> RuleLabels {
    let mut labels = [0; RULES.attributes.len()];
    for (_, (triple, _)) in governed.iter().enumerate().filter(|(number, _)| is_kept(*number)) {
        labels[triple.attribute.row()] = triple.relation.column() as u8;
    }
    RuleLabels::new(RULES, &labels)
}

impl<P: Related> AnyPuzzle for P {
    fn family(&self) -> &'static dyn Family {
        Related::family(self)
    }

    fn stratum(&self) -> Stratum {
        Related::stratum(self)
    }

    fn target(&self) -> usize {
        usize::from(Related::target(self))
    }

    fn draw_into(&self, index: usize, out: &mut [u8]) {
        render::panel_into(panel(self, index), out);
    }

    fn ink_into(&self, index: usize, side: usize, out: &mut [f32]) {
        render::ink_into(panel(self, index), side, out);
    }

    fn codes_into(&self, index: usize, out: &mut [f32]) {
        codes::write(panel(self, index), out);
    }

    fn truth(&self) -> Truth {
        let governed = self.governed();
        let mut axes = vec![Axis::Rows; RULES.attributes.len()];
        for (triple, axis) in &governed {
            axes[triple.attribute.row()] = *axis;
        }
        let of_choice = |choice: usize| labels(&governed, |number| self.keeps(choice, number));
        Truth {
            rules: labels(&governed, |_| true),
            choices: (0..self.choices().len()).map(of_choice).collect(),
            axes,
            counted: Attribute::ALL.iter().map(|attribute| vec![attribute.row()]).collect(),
            vote: majority_vote(self.choices()),
        }
    }

    fn rules_text(&self) -> String {
        self.rules().join(" ")
    }

    fn broken(&self) -> Vec<Vec<String>> {
        let in_words = |choice| self.broken_by(choice).iter().map(ToString::to_string).collect();
        (0..self.choices().len()).map(in_words).collect()
    }

    fn audit(&self) -> Audit {
        let Findings { untrue, right, twins, unshown, unneeded, mut others } = self.findings();
        others.dedup();
        others.retain(|&choice| choice != usize::from(Related::target(self)));
        let (vote, rivals) = (majority_vote(self.choices()), others.len());
        let outvoted = minority_vote(self.choices());
        Audit { untrue, right, twins, vote, outvoted, unshown, unneeded, rivals }
    }

    fn facts(&self) -> Facts {
        let target = usize::from(Related::target(self));
        let panels = self.context().iter().chain([&self.choices()[target]]);
        let wrong = (0..self.choices().len()).filter(|&choice| choice != target);
        let changes = |choice| self.changed_by(choice).iter().map(ToString::to_string).collect();
        Facts {
            rules: self.rules(),
            objects: panels.flat_map(object_counts).collect(),
            uniform: Vec::new(),
            changes: wrong.map(changes).collect(),
        }
    }

    fn is_allowed_in_training(&self, regime: Stratum) -> bool {
        let Some((has_such_rules, limit)) = self.in_training(regime.name) else { return false };
        regime.set == Related::family(self).id()
            && has_such_rules
            && self.context().iter().chain(self.choices()).all(|panel| limit.allows_panel(panel))
    }
}
