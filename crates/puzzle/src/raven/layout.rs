//! The seven layouts and the components they are made of.

use std::fmt;

/// Where objects may stand in a panel: one of the seven RAVEN configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// One object in the middle (C-S).
    CenterSingle,
    /// Up to four objects on a 2x2 grid.
    DistributeFour,
    /// Up to nine objects on a 3x3 grid.
    DistributeNine,
    /// One object left, one right (L-R).
    LeftRight,
    /// One object above, one below (U-D).
    UpDown,
    /// One object inside another (O-IC).
    OutInCenter,
    /// Up to four small objects inside a large one (O-IG).
    OutInGrid,
}

impl Layout {
    /// All seven, in the order in which the datasets list them.
    pub const ALL: [Self; 7] = [
        Self::CenterSingle,
        Self::DistributeFour,
        Self::DistributeNine,
        Self::LeftRight,
        Self::UpDown,
        Self::OutInCenter,
        Self::OutInGrid,
    ];

    /// Place among [`Layout::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The folder name that every RAVEN-family dataset uses.
    pub fn folder(self) -> &'static str {
        match self {
            Self::CenterSingle => "center_single",
            Self::DistributeFour => "distribute_four",
            Self::DistributeNine => "distribute_nine",
            Self::LeftRight => "left_center_single_right_center_single",
            Self::UpDown => "up_center_single_down_center_single",
            Self::OutInCenter => "in_center_single_out_center_single",
            Self::OutInGrid => "in_distribute_four_out_center_single",
        }
    }

    /// The short name of the paper, in lower case: `c-s`, `2x2`, `o-ig`, ...
    pub fn short(self) -> &'static str {
        match self {
            Self::CenterSingle => "c-s",
            Self::DistributeFour => "2x2",
            Self::DistributeNine => "3x3",
            Self::LeftRight => "l-r",
            Self::UpDown => "u-d",
            Self::OutInCenter => "o-ic",
            Self::OutInGrid => "o-ig",
        }
    }

    /// The name in headings.
    pub fn long_name(self) -> &'static str {
        match self {
            Self::CenterSingle => "Center (C-S)",
            Self::DistributeFour => "2×2 grid",
            Self::DistributeNine => "3×3 grid",
            Self::LeftRight => "Left and right (L-R)",
            Self::UpDown => "Up and down (U-D)",
            Self::OutInCenter => "Out and in (O-IC)",
            Self::OutInGrid => "Out and inner grid (O-IG)",
        }
    }

    /// Finds a layout by its short or folder name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|l| l.short() == text || l.folder() == text)
    }

    /// The components, in the order in which rules and pixels are kept. The
    /// folders say "in_..._out_...", but the outer component comes first.
    pub fn components(self) -> &'static [ComponentKind] {
        match self {
            Self::CenterSingle => &[ComponentKind::Center],
            Self::DistributeFour => &[ComponentKind::GridFour],
            Self::DistributeNine => &[ComponentKind::GridNine],
            Self::LeftRight => &[ComponentKind::Left, ComponentKind::Right],
            Self::UpDown => &[ComponentKind::Up, ComponentKind::Down],
            Self::OutInCenter => &[ComponentKind::Out, ComponentKind::InCenter],
            Self::OutInGrid => &[ComponentKind::Out, ComponentKind::InGrid],
        }
    }

    /// The line that is drawn between two components, which stand on either side of it and are
    /// exchanged when a panel is mirrored across it.
    pub fn divider(self) -> Option<Divider> {
        match self {
            Self::LeftRight => Some(Divider::Vertical),
            Self::UpDown => Some(Divider::Horizontal),
            Self::CenterSingle | Self::DistributeFour | Self::DistributeNine => None,
            Self::OutInCenter | Self::OutInGrid => None,
        }
    }

    /// The name of the structure node in the originals' files.
    pub fn structure_name(self) -> &'static str {
        match self {
            Self::CenterSingle | Self::DistributeFour | Self::DistributeNine => "Singleton",
            Self::LeftRight => "Left_Right",
            Self::UpDown => "Up_Down",
            Self::OutInCenter | Self::OutInGrid => "Out_In",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.folder())
    }
}

/// A line through the middle of the panel, one pixel wide at 160x160.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divider {
    /// Column 80.
    Vertical,
    /// Row 80.
    Horizontal,
}

/// A square place for one object, as fractions of the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// Vertical centre.
    pub y: f64,
    /// Horizontal centre.
    pub x: f64,
    /// Side of the square.
    pub side: f64,
}

/// A component of a layout: a set of slots with its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComponentKind {
    /// The single object of C-S.
    Center,
    /// The 2x2 grid.
    GridFour,
    /// The 3x3 grid.
    GridNine,
    /// Left of L-R.
    Left,
    /// Right of L-R.
    Right,
    /// Upper of U-D.
    Up,
    /// Lower of U-D.
    Down,
    /// The large object of O-IC and O-IG.
    Out,
    /// The inner object of O-IC.
    InCenter,
    /// The inner 2x2 grid of O-IG.
    InGrid,
}

const fn slot(y: f64, x: f64, side: f64) -> Slot {
    Slot { y, x, side }
}

impl ComponentKind {
    /// All ten kinds.
    pub const ALL: [Self; 10] = [
        Self::Center,
        Self::GridFour,
        Self::GridNine,
        Self::Left,
        Self::Right,
        Self::Up,
        Self::Down,
        Self::Out,
        Self::InCenter,
        Self::InGrid,
    ];

    /// The slots in index order: row by row.
    pub fn slots(self) -> &'static [Slot] {
        // `const` blocks, because calls of a const fn are not promoted to statics.
        match self {
            Self::Center | Self::Out => const { &[slot(0.5, 0.5, 1.0)] },
            Self::GridFour => {
                const {
                    &[
                        slot(0.25, 0.25, 0.5),
                        slot(0.25, 0.75, 0.5),
                        slot(0.75, 0.25, 0.5),
                        slot(0.75, 0.75, 0.5),
                    ]
                }
            }
            Self::GridNine => {
                const {
                    &[
                        slot(0.16, 0.16, 0.33),
                        slot(0.16, 0.5, 0.33),
                        slot(0.16, 0.83, 0.33),
                        slot(0.5, 0.16, 0.33),
                        slot(0.5, 0.5, 0.33),
                        slot(0.5, 0.83, 0.33),
                        slot(0.83, 0.16, 0.33),
                        slot(0.83, 0.5, 0.33),
                        slot(0.83, 0.83, 0.33),
                    ]
                }
            }
            Self::Left => const { &[slot(0.5, 0.25, 0.5)] },
            Self::Right => const { &[slot(0.5, 0.75, 0.5)] },
            Self::Up => const { &[slot(0.25, 0.5, 0.5)] },
            Self::Down => const { &[slot(0.75, 0.5, 0.5)] },
            Self::InCenter => const { &[slot(0.5, 0.5, 0.33)] },
            Self::InGrid => {
                const {
                    &[
                        slot(0.42, 0.42, 0.15),
                        slot(0.42, 0.58, 0.15),
                        slot(0.58, 0.42, 0.15),
                        slot(0.58, 0.58, 0.15),
                    ]
                }
            }
        }
    }

    /// How many slots there are.
    pub fn slot_count(self) -> usize {
        self.slots().len()
    }

    /// The name of the component node in the originals' files.
    pub fn component_name(self) -> &'static str {
        match self {
            Self::Center | Self::GridFour | Self::GridNine => "Grid",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Up => "Up",
            Self::Down => "Down",
            Self::Out => "Out",
            Self::InCenter | Self::InGrid => "In",
        }
    }

    /// The name of the layout node in the originals' files.
    pub fn layout_name(self) -> &'static str {
        match self {
            Self::Center => "Center_Single",
            Self::GridFour => "Distribute_Four",
            Self::GridNine => "Distribute_Nine",
            Self::Left => "Left_Center_Single",
            Self::Right => "Right_Center_Single",
            Self::Up => "Up_Center_Single",
            Self::Down => "Down_Center_Single",
            Self::Out => "Out_Center_Single",
            Self::InCenter => "In_Center_Single",
            Self::InGrid => "In_Distribute_Four",
        }
    }

    /// The prefix in rule texts (`out.size=...`); `None` where the layout has
    /// only this component.
    pub fn prefix(self) -> Option<&'static str> {
        match self {
            Self::Center | Self::GridFour | Self::GridNine => None,
            Self::Left => Some("left"),
            Self::Right => Some("right"),
            Self::Up => Some("up"),
            Self::Down => Some("down"),
            Self::Out => Some("out"),
            Self::InCenter | Self::InGrid => Some("in"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raven::RuleMatrix;

    #[test]
    fn every_layout_is_listed_and_has_at_most_two_components() {
        // The compiler asks for a new layout here; the list must then have it too.
        let next = |layout: &Layout| match layout {
            Layout::CenterSingle => Some(Layout::DistributeFour),
            Layout::DistributeFour => Some(Layout::DistributeNine),
            Layout::DistributeNine => Some(Layout::LeftRight),
            Layout::LeftRight => Some(Layout::UpDown),
            Layout::UpDown => Some(Layout::OutInCenter),
            Layout::OutInCenter => Some(Layout::OutInGrid),
            Layout::OutInGrid => None,
        };
        let all: Vec<Layout> = std::iter::successors(Some(Layout::CenterSingle), next).collect();
        assert_eq!(all, Layout::ALL);
        for (index, layout) in Layout::ALL.into_iter().enumerate() {
            assert_eq!(layout.index(), index);
            assert!((1..=RuleMatrix::COMPONENTS).contains(&layout.components().len()));
        }
    }
}
