//! How rules narrow the levels from which the first column is drawn.

use crate::raven::{
    Attribute, ComponentKind, ComponentRules, Domain, Group, Levels, Rule, RuleKind,
};

/// The levels of a component's first column under its rules, such that no rule
/// leaves the range of its attribute further along the row.
#[derive(Clone, Copy, Debug)]
pub struct Narrowed {
    /// The kind of component.
    pub kind: ComponentKind,
    /// Number of objects, less one.
    pub number: Levels,
    /// Shape.
    pub shape: Levels,
    /// Size.
    pub size: Levels,
    /// Color.
    pub color: Levels,
    /// Angle: never narrowed by a rule; one level in the uniform variant.
    pub angle: Levels,
}

/// Level of 0 degrees, at which the uniform variant holds every object.
const UPRIGHT: i32 = 3;

impl Narrowed {
    /// The narrowed levels; `None` when a rule leaves no room.
    pub fn new(
        domain: Domain,
        kind: ComponentKind,
        rules: &ComponentRules,
        upright: bool,
    ) -> Option<Self> {
        let of = |group: Group| {
            let rule = rules.of(group);
            narrow(domain.range(kind, group_range(group)), rule)
        };
        let angle = if upright {
            Levels::new(UPRIGHT, UPRIGHT)
        } else {
            Levels::new(0, domain.angles().len() as i32 - 1)
        };
        Some(Self {
            kind,
            number: of(Group::NumberPosition)?,
            shape: of(Group::Type)?,
            size: of(Group::Size)?,
            color: of(Group::Color)?,
            angle,
        })
    }

    /// The levels of type, size or color.
    pub fn of(&self, group: Group) -> Levels {
        match group {
            Group::NumberPosition => self.number,
            Group::Type => self.shape,
            Group::Size => self.size,
            Group::Color => self.color,
        }
    }
}

/// The attribute whose range a group's rule narrows.
pub fn group_range(group: Group) -> Attribute {
    match group {
        Group::NumberPosition => Attribute::Number,
        Group::Type => Attribute::Type,
        Group::Size => Attribute::Size,
        Group::Color => Attribute::Color,
    }
}

/// The range of the first column under one rule; `None` when it leaves no room.
pub fn narrow(range: Levels, rule: Rule) -> Option<Levels> {
    let Levels { lo, hi } = range;
    let step = i32::from(rule.step);
    let narrowed = match (rule.kind, rule.attribute) {
        (RuleKind::Constant, _) => range,
        (RuleKind::Progression, Attribute::Position) => Levels::new(lo, hi - 2 * step.abs()),
        (RuleKind::Progression, _) if step > 0 => Levels::new(lo, hi - 2 * step),
        (RuleKind::Progression, _) => Levels::new(lo + 2 * step.abs(), hi),
        (RuleKind::Arithmetic, Attribute::Position) if step > 0 => Levels::new(lo, hi - 1),
        // A difference must be able to leave something: about half of all slots.
        (RuleKind::Arithmetic, Attribute::Position) => Levels::new((hi + 2) / 2 - 1, hi - 1),
        (RuleKind::Arithmetic, Attribute::Color) if hi - lo < 1 => return None,
        (RuleKind::Arithmetic, Attribute::Color) if step > 0 => Levels::new(lo, hi - lo),
        (RuleKind::Arithmetic, Attribute::Color) => Levels::new(2 * lo, hi),
        (RuleKind::Arithmetic, _) if step > 0 => Levels::new(lo, hi - lo - 1),
        (RuleKind::Arithmetic, _) => Levels::new(2 * lo + 1, hi),
        (RuleKind::DistributeThree, _) if range.count() < 3 => return None,
        (RuleKind::DistributeThree, Attribute::Position) => Levels::new(lo, hi - 1),
        (RuleKind::DistributeThree, _) => range,
    };
    (narrowed.count() > 0).then_some(narrowed)
}
