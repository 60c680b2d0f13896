//! Sizes that no eye can tell: small squares of two levels are one and the same
//! picture. They are taken to be what the asked rule wants, if that is possible.

use crate::raven::{Attribute, Entity, Panel, RuleKind};

use super::UnclearSize;

/// More readings of a row than this are not tried: a row of three full inner
/// grids of unclear squares has as many.
const MOST_READINGS: u32 = 1 << 12;

/// Settles the unclear sizes of `component` in favour of its size rule.
pub(super) fn settle(
    unclear: &[UnclearSize],
    component: usize,
    (_, kind, step): (Attribute, RuleKind, Option<i8>),
    panels: &mut [Panel; 9],
) {
    let unclear: Vec<UnclearSize> =
        unclear.iter().filter(|u| u.component == component).copied().collect();
    match kind {
        _ if unclear.is_empty() => {}
        RuleKind::Constant => settle_rows(panels, component, &unclear),
        kind => settle_shared(panels, component, &unclear, kind, step),
    }
}

fn set(panels: &mut [Panel; 9], at: &UnclearSize, level: u8) {
    let objects = &mut panels[at.panel].components[at.component].entities;
    if let Some(object) = objects.iter_mut().find(|e| e.slot == at.slot) {
        object.size = level;
    }
}

fn levels(mask: u16) -> Vec<u8> {
    (0..16).filter(|level| mask >> level & 1 == 1).collect()
}

/// Row by row: the first reading in which the sizes of the three panels are the
/// same, slot by slot where the slots are, else as a crowd.
fn settle_rows(panels: &mut [Panel; 9], component: usize, unclear: &[UnclearSize]) {
    for row in 0..3 {
        let own: Vec<&UnclearSize> = unclear.iter().filter(|u| u.panel / 3 == row).collect();
        let options: Vec<Vec<u8>> = own.iter().map(|u| levels(u.levels)).collect();
        let readings: u32 = options.iter().fold(1, |n: u32, o| n.saturating_mul(o.len() as u32));
        let before = panels.clone();
        for mut reading in 0..readings.min(MOST_READINGS) {
            for (at, options) in own.iter().zip(&options) {
                set(panels, at, options[(reading % options.len() as u32) as usize]);
                reading /= options.len() as u32;
            }
            if keeps_sizes(&panels[3 * row..3 * row + 3], component) {
                break;
            }
            *panels = before.clone();
        }
    }
}

fn keeps_sizes(row: &[Panel], component: usize) -> bool {
    let place = |panel: &Panel| {
        let mut objects: Vec<(u8, u8)> =
            panel.components[component].entities.iter().map(|e| (e.slot, e.size)).collect();
        objects.sort_unstable();
        objects
    };
    let crowd = |panel: &Panel| {
        let mut sizes: Vec<u8> =
            panel.components[component].entities.iter().map(|e| e.size).collect();
        sizes.sort_unstable();
        sizes
    };
    let same_slots =
        row.iter().all(|p| p.components[component].mask() == row[0].components[component].mask());
    if same_slots {
        row.iter().all(|p| place(p) == place(&row[0]))
    } else {
        row.iter().all(|p| crowd(p) == crowd(&row[0]))
    }
}

/// All objects of a panel share a size: every panel has at most two or three
/// levels to choose from, and the first choice under which the rule holds is
/// taken.
fn settle_shared(
    panels: &mut [Panel; 9],
    component: usize,
    unclear: &[UnclearSize],
    kind: RuleKind,
    step: Option<i8>,
) {
    let possible: Vec<Vec<u8>> = (0..9)
        .map(|panel| {
            let of = |e: &Entity| {
                let own = unclear.iter().find(|u| u.panel == panel && u.slot == e.slot);
                own.map_or(1 << e.size, |u| u.levels)
            };
            let common = panels[panel].components[component].entities.iter().map(of);
            levels(common.fold(u16::MAX, |all, own| all & own) & 0x3ff)
        })
        .collect();
    if possible.iter().any(Vec::is_empty) {
        return;
    }
    let steps: Vec<i8> = step.map_or_else(|| kind.steps().to_vec(), |s| vec![s]);
    let readings: u32 = possible.iter().map(|p| p.len() as u32).product();
    for step in steps {
        for mut reading in 0..readings.min(MOST_READINGS) {
            let mut tried = panels.clone();
            for (panel, levels) in possible.iter().enumerate() {
                let level = levels[(reading % levels.len() as u32) as usize];
                reading /= levels.len() as u32;
                tried[panel].components[component].entities.iter_mut().for_each(|e| e.size = level);
            }
            if size_rule_holds(&tried, component, kind, step) {
                *panels = tried;
                return;
            }
        }
    }
}

/// Whether the sizes of nine panels, shared in each, follow a rule.
fn size_rule_holds(panels: &[Panel; 9], component: usize, kind: RuleKind, step: i8) -> bool {
    let Some(sizes) = panels
        .iter()
        .map(|p| p.components[component].shared(Attribute::Size).map(i32::from))
        .collect::<Option<Vec<i32>>>()
    else {
        return false;
    };
    let step = i32::from(step);
    let rows = || sizes.chunks_exact(3);
    match kind {
        RuleKind::Constant => rows().all(|r| r[0] == r[1] && r[1] == r[2]),
        RuleKind::Progression => rows().all(|r| r[1] - r[0] == step && r[2] - r[1] == step),
        RuleKind::Arithmetic => rows().all(|r| r[2] == r[0] + step * (r[1] + 1)),
        RuleKind::DistributeThree => {
            let all_different = |v: [i32; 3]| v[0] != v[1] && v[1] != v[2] && v[0] != v[2];
            let sorted = |r: &[i32]| {
                let mut r = r.to_vec();
                r.sort_unstable();
                r
            };
            all_different([sizes[0], sizes[1], sizes[2]])
                && rows().all(|r| sorted(r) == sorted(&sizes[..3]))
                && (0..3).all(|c| all_different([sizes[c], sizes[3 + c], sizes[6 + c]]))
        }
    }
}
