//! What is drawn: objects in slots, panels, and the puzzle they make.

use arrayvec::ArrayVec;

use crate::family::RuleParameter;
use crate::raven::{Attribute, ComponentRules, Domain, Latin, Layout};

/// One object, by its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entity {
    /// The slot it stands in.
    pub slot: u8,
    /// Shape: 1 triangle, 2 square, 3 pentagon, 4 hexagon, 5 circle.
    pub shape: u8,
    /// Size level.
    pub size: u8,
    /// Color level; 0 is white in the standard domain.
    pub color: u8,
    /// Angle level: noise that no rule speaks about.
    pub angle: u8,
}

impl Entity {
    /// The level of type, size or color; `None` for the attributes of a whole
    /// component.
    pub fn level(&self, attribute: Attribute) -> Option<u8> {
        match attribute {
            Attribute::Type => Some(self.shape),
            Attribute::Size => Some(self.size),
            Attribute::Color => Some(self.color),
            _ => None,
        }
    }

    /// Sets the level of type, size or color; other attributes are left alone.
    pub fn set_level(&mut self, attribute: Attribute, level: u8) {
        match attribute {
            Attribute::Type => self.shape = level,
            Attribute::Size => self.size = level,
            Attribute::Color => self.color = level,
            _ => {}
        }
    }
}

/// The objects of one component in one panel, in the order in which they were
/// made (which is the order of the originals' files, and not that of slots).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Component {
    /// At least one object, each in a slot of its own.
    pub entities: ArrayVec<Entity, 9>,
}

impl Component {
    /// The occupied slots as a bit mask.
    pub fn mask(&self) -> u16 {
        self.entities.iter().fold(0, |mask, e| mask | 1 << e.slot)
    }

    /// Number level: how many objects there are, less one.
    pub fn number(&self) -> i32 {
        self.entities.len() as i32 - 1
    }

    /// The level that all objects share in an attribute, if they do.
    pub fn shared(&self, attribute: Attribute) -> Option<u8> {
        let first = self.entities.first()?.level(attribute)?;
        self.entities.iter().all(|e| e.level(attribute) == Some(first)).then_some(first)
    }
}

/// One of the sixteen pictures of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Panel {
    /// The components, as in [`Layout::components`].
    pub components: ArrayVec<Component, 2>,
}

/// How the seven wrong choices are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Set {
    /// Each differs from the answer by one change (so a vote finds the answer).
    Raven,
    /// All subsets of three changes: no vote helps.
    IRaven,
    /// A random tree of changes.
    RavenFair,
}

impl Set {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Raven, Self::IRaven, Self::RavenFair];

    /// The name on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Raven => "raven",
            Self::IRaven => "iraven",
            Self::RavenFair => "raven-fair",
        }
    }

    /// Finds a set by its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.key().eq_ignore_ascii_case(text))
    }
}

/// One attribute that a wrong choice changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    /// Component, 0 or 1.
    pub component: u8,
    /// Number, position, type, size or color.
    pub attribute: Attribute,
}

/// A whole puzzle with its truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// How the choices were made.
    pub set: Set,
    /// Where objects stand.
    pub layout: Layout,
    /// What the levels mean.
    pub domain: Domain,
    /// The rules of each component.
    pub rules: ArrayVec<ComponentRules, 2>,
    /// The values handed out by each distribute-three rule, by component and
    /// group; `None` elsewhere.
    pub latin: [[Option<Latin>; 4]; 2],
    /// Uniformity level of each component, 0 to 3; 3 means that all objects of
    /// a panel are alike.
    pub uniformity: [u8; 2],
    /// The eight panels of the question, row by row.
    pub context: [Panel; 8],
    /// The eight possible answers.
    pub choices: [Panel; 8],
    /// Which choice is right, 0 to 7.
    pub target: u8,
    /// What each choice changes in the answer, in order of application; empty
    /// for the answer.
    pub changes: [ArrayVec<Change, 8>; 8],
}

impl Puzzle {
    /// The right answer.
    pub fn answer(&self) -> &Panel {
        &self.choices[usize::from(self.target)]
    }

    /// All sixteen panels: the question, then the choices.
    pub fn panels(&self) -> impl Iterator<Item = &Panel> {
        self.context.iter().chain(&self.choices)
    }

    /// Whether the objects of a component are all alike in every panel.
    pub fn is_uniform(&self, component: usize) -> bool {
        self.uniformity[component] == 3
    }

    /// The parameters of a component's rules, group by group.
    pub fn rule_parameters(&self, component: usize) -> [RuleParameter; 4] {
        let rules = &self.rules[component].0;
        std::array::from_fn(|group| rules[group].parameter(self.latin[component][group].as_ref()))
    }
}
