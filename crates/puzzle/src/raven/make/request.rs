//! What puzzle is wanted.

use crate::raven::rule_matrix::lowest_name;
use crate::raven::{Attribute, Domain, Layout, PuzzleError, Rule, RuleKind, RuleMatrix, Set};

/// Rules that a training set leaves out, so that a test on the ordinary set
/// shows whether a model can cope with a rule it has never seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeldOut {
    /// C-S without (constant, type). The paper says "constant size" in another
    /// place; its list of sets, and RAISE before it, say type.
    CenterSingle,
    /// O-IC without arithmetic and distribute-three on the inner object. The
    /// paper lists six pairs and counts five: arithmetic on type does not exist.
    OutInCenter,
}

impl HeldOut {
    /// Both sets.
    pub const ALL: [Self; 2] = [Self::CenterSingle, Self::OutInCenter];

    /// The name of the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::CenterSingle => "cs-held-out",
            Self::OutInCenter => "o-ic-held-out",
        }
    }

    /// Finds a set by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|h| h.name().eq_ignore_ascii_case(text))
    }

    /// The only layout that it concerns.
    pub fn layout(self) -> Layout {
        match self {
            Self::CenterSingle => Layout::CenterSingle,
            Self::OutInCenter => Layout::OutInCenter,
        }
    }

    /// Whether a rule of `component` is left out.
    pub fn excludes(self, component: usize, rule: Rule) -> bool {
        match self {
            Self::CenterSingle => {
                rule.attribute == Attribute::Type && rule.kind == RuleKind::Constant
            }
            Self::OutInCenter => {
                component == 1
                    && matches!(rule.kind, RuleKind::Arithmetic | RuleKind::DistributeThree)
            }
        }
    }
}

/// What puzzle is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// How wrong choices are made.
    pub set: Set,
    /// Where objects stand.
    pub layout: Layout,
    /// Which values attributes take.
    pub domain: Domain,
    /// RAISE's `*_uniform` variant: all objects of a component alike and
    /// upright, in the three layouts that have grids.
    pub uniform: bool,
    /// Rules that must hold; what is free is drawn.
    pub rules: RuleMatrix,
    /// Rules that must not occur.
    pub held_out: Option<HeldOut>,
    /// Keep the originals' faults: choices that look alike, and two right
    /// answers where an unreadable size makes them so.
    pub faithful: bool,
    /// Make only puzzles without [rivals](crate::raven::check::rivals): no other rules
    /// explain the question and single out another choice.
    pub no_rivals: bool,
}

impl Request {
    /// Any puzzle of a set and layout.
    pub fn new(set: Set, layout: Layout) -> Self {
        Self {
            set,
            layout,
            domain: Domain::Standard,
            uniform: false,
            rules: RuleMatrix::free(),
            held_out: None,
            faithful: false,
            no_rivals: false,
        }
    }

    /// The folder in which a dataset keeps these puzzles.
    pub fn folder(&self) -> String {
        let suffix = if self.uniform { "_uniform" } else { "" };
        format!("{}{suffix}", self.layout.folder())
    }

    /// Whether a layout has the `*_uniform` variant.
    pub fn has_uniform(layout: Layout) -> bool {
        layout.components().iter().any(|p| p.slot_count() > 1)
    }

    /// Whether the values that a distribute-three must hand out exist in the layout.
    pub(super) fn check_handed_out(&self) -> Result<(), PuzzleError> {
        for (component, &kind) in self.layout.components().iter().enumerate() {
            for attribute in Attribute::ALL {
                let levels = self.rules.handed_out(component, attribute);
                let range = self.domain.range(kind, attribute);
                let outside = |&level: &i32| !(range.lo..=range.hi).contains(&level);
                if (0..16).filter(outside).any(|level| levels >> level & 1 == 1) {
                    let prefix = kind.prefix().map(|p| format!("{p}.")).unwrap_or_default();
                    let named = |level: i32| level + i32::from(lowest_name(attribute));
                    return Err(PuzzleError::Impossible {
                        rule: format!("{prefix}{attribute}={}", RuleKind::DistributeThree),
                        layout: self.layout,
                        reason: format!(
                            "its values are {} to {}",
                            named(range.lo),
                            named(range.hi)
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    pub(super) fn check_uniform(&self) -> Result<(), PuzzleError> {
        if self.uniform && !Self::has_uniform(self.layout) {
            return Err(PuzzleError::Impossible {
                rule: "the uniform variant".to_owned(),
                layout: self.layout,
                reason: "it is defined for the layouts with a grid: 2x2, 3x3 and o-ig".to_owned(),
            });
        }
        if let Some(held_out) = self.held_out
            && held_out.layout() != self.layout
        {
            return Err(PuzzleError::Impossible {
                rule: held_out.name().to_owned(),
                layout: self.layout,
                reason: format!("it leaves out rules of {} only", held_out.layout().short()),
            });
        }
        Ok(())
    }

    /// The purpose of the random streams: requests that differ in anything but
    /// the stated rules share no puzzle.
    pub(super) fn purpose(&self) -> String {
        let set = match self.set {
            Set::Raven => 'r',
            Set::IRaven => 'i',
            Set::RavenFair => 'f',
        };
        let held_out = if self.held_out.is_some() { "/h" } else { "" };
        let uniform = if self.uniform { "/u" } else { "" };
        let faithful = if self.faithful { "/f" } else { "" };
        let no_rivals = if self.no_rivals { "/n" } else { "" };
        let domain = match self.domain {
            Domain::Standard => "",
            other => other.name(),
        };
        format!("p/{set}/{}/{domain}{uniform}{held_out}{faithful}{no_rivals}", self.layout.short())
    }
}
