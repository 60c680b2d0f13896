//! Values never seen in training (paper: tab:ood-attr-rpmacc).

use genvp_puzzle::{Domain, Set};

use super::solving::Solving;
use super::{Figures, Ours, by_layout, set_name, share_of};
use crate::paper::Paper;
use crate::table::Table;

/// The shifted domains, in the paper's order.
pub const DOMAINS: [Domain; 4] = [Domain::AngleI, Domain::ColorI, Domain::SizeI, Domain::SizeE];

/// The sets that the paper tests them on.
pub const SETS: [Set; 2] = [Set::Raven, Set::IRaven];

/// Ours on both sets, and, if they are wanted, the paper's columns.
pub fn table(domain: Domain, ours: &[(Set, Ours<Solving>)], compare: bool) -> Table {
    let name = domain.name();
    let mut table = Table::new(&format!("ood-{name}"), format!("Right answers, {name} (%)"));
    let mut columns = Vec::new();
    for (set, own) in ours {
        table.column(format!("{} ours", set_name(*set)));
        columns.push(Figures::Ours(Box::new(move |layout| {
            own.share(|own| share_of(&own.scores, layout))
        })));
        if !compare {
            continue;
        }
        for who in ["GenVP", "RAISE*"] {
            if let Some(row) = Paper::get().row("ood", Some(name), set.key(), who) {
                table.sourced(
                    format!("{} {who}", set_name(*set)),
                    format!("{} ({})", row.source, row.place),
                );
                columns.push(Figures::Printed(row));
            }
        }
    }
    by_layout(&mut table, &columns);
    table.note("The model has never seen these values; nothing was trained again.");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_averages_of_the_paper_are_shown_as_such() {
        let ours: Vec<_> = SETS.map(|set| (set, Ours::Missing("no weights".into()))).into();
        let text = table(Domain::SizeE, &ours, true).to_text();
        assert!(text.contains("prints 45.0; its columns average 54.8"), "{text}");
        let text = table(Domain::SizeI, &ours, true).to_text();
        assert!(text.contains("prints 87.5; its columns average 88.9"), "{text}");
    }
}
