use super::*;
use genvp_model::Preset;
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::vad::Vad;

fn all(family: &dyn Family, has_learned: bool) -> Vec<RegimeMarks> {
    let marks = Marks {
        asked: 200,
        right: 150,
        voted: 200,
        vote: 25.0,
        mixtures: [150, 0, 0, 0, 0, 160],
        experts: vec![100; 14],
        ..Marks::default()
    };
    let preset = Preset::named(&format!("{}-cpu-64", family.id())).unwrap();
    let predictions = Predictions::new(preset.model.puzzle());
    let of = |stratum| {
        RegimeMarks::of(stratum, None, &marks).compared(&marks, &predictions, has_learned)
    };
    family.strata().into_iter().map(of).collect()
}

#[test]
fn every_regime_has_its_row_with_ours_the_vote_and_the_printed_figures() {
    for family in [&Pgm as &dyn Family, &Vad] {
        let ours = Ours::new(all(family, true), "genvp eval x");
        let text = table(family, &ours, true).to_text();
        for stratum in family.strata() {
            let line = text.lines().find(|line| line.trim_start().starts_with(stratum.name));
            let line = line.unwrap_or_else(|| panic!("{}: {text}", stratum.name));
            assert!(line.contains("75.0") && line.contains("12.5"), "{line}");
        }
        assert!(text.contains("not the originals' files"), "{text}");
        assert!(text.contains("mean"), "{text}");
        let without = table(family, &Ours::new(Vec::new(), "genvp eval x"), false).to_text();
        assert!(!without.contains("GenVP"), "{without}");
    }
}

#[test]
fn what_the_choices_alone_give_is_known_of_every_regime_and_kind_of_choices() {
    for family in [&Pgm as &dyn Family, &Vad] {
        for stratum in family.strata() {
            let of = |choices| RegimeMarks::of(stratum, choices, &Marks::default()).choices_alone;
            assert!(of(None).is_some(), "{stratum:?}");
            assert_eq!(of(Some("normal")) == of(None), family.id() == "pgm", "{stratum:?}");
        }
    }
}

#[test]
fn mixtures_and_experts_stand_beside_the_papers_two() {
    let ours = Ours::new(all(&Pgm, true), "genvp eval x");
    let mixtures = mixture_table(&Pgm, &ours, true).to_text();
    assert!(mixtures.contains("80.0") && mixtures.contains("weighted-avg, GenVP"), "{mixtures}");
    let experts = experts_table(&Pgm, &ours).to_text();
    assert!(experts.contains("row-latents") && experts.contains("50.0"), "{experts}");
    assert!(!experts.contains("context-9") || experts.matches("context-9").count() == 0);
    let without = mixture_table(&Pgm, &Ours::new(all(&Pgm, false), "genvp eval x"), false);
    assert!(without.to_text().contains("this model has none"));
}

#[test]
fn contrast_stands_beside_the_papers_weighted_averages() {
    for (family, printed) in [(&Pgm as &dyn Family, ["79.5", "47.4"]), (&Vad, ["95.8", "67.0"])] {
        let one: Vec<RegimeMarks> = all(family, false).into_iter().take(1).collect();
        let ours = Ours::new(one, "genvp eval x");
        let text = contrast_table(family, &ours, &ours, true).to_text();
        let line = text.lines().find(|line| line.contains("75.0")).unwrap();
        assert!(printed.iter().all(|figure| line.contains(figure)), "{text}");
    }
}
