//! The weights in the box imagine and complete puzzles of PGM and VAD, and it is they who do it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod scramble;

use burn::tensor::Device;
use genvp_infer::relations::coherence::{RelationCoherence, measure};
use genvp_infer::relations::{RelationAnswers, RelationArtist, RelationSampler, RelationTask};
use genvp_infer::{Model, Weights};
use genvp_model::{AnyModel, DeviceChoice};
use genvp_puzzle::family::{Family, PuzzleSpec};
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::vad::Vad;
use scramble::scrambled;

/// Nothing else uses it.
const SEED: u64 = 3_000_000_037;
const DRAWN: u64 = 24;
const FAMILIES: [&dyn Family; 2] = [&Pgm, &Vad];

fn cpu() -> Device {
    DeviceChoice::Cpu.open().unwrap().0
}

fn coherence(genvp: &AnyModel, family: &'static dyn Family, device: &Device) -> RelationCoherence {
    let artist = RelationArtist::new(genvp, family, device).unwrap();
    let sampler = RelationSampler::new(family, None, "", SEED).unwrap();
    measure(&artist, &sampler, DRAWN, &|_| ()).unwrap()
}

#[test]
fn most_rules_that_are_asked_for_are_drawn() {
    for family in FAMILIES {
        let model = Model::open(Model::default_of(family).unwrap(), &cpu()).unwrap();
        assert_eq!(model.card().used_seed(SEED), None, "these puzzles are fresh");
        let found = coherence(model.genvp(), family, model.device());
        let [judge, chance] = [found.judge, found.judge_by_chance].map(|marks| marks.percent());
        assert!(judge > 75.0 && chance < 40.0, "{}: {judge} {chance}", family.id());
        assert!(found.own_encoder.percent() > 75.0, "{}: {found:?}", family.id());
        assert!(found.legible >= DRAWN - 1, "{}: {found:?}", family.id());
    }
}

#[test]
fn scrambled_weights_draw_no_rules() {
    let device = cpu();
    for family in FAMILIES {
        let weights = Weights::find(Model::default_of(family).unwrap()).unwrap();
        for part in ["writer", "decoder"] {
            let genvp = scrambled(weights.bytes(), part, &device);
            let judge = coherence(&genvp, family, &device).judge.percent();
            assert!(judge < 40.0, "{} without its {part}: {judge}", family.id());
        }
        // The own reader and experts do not see what they drew themselves.
        let genvp = scrambled(weights.bytes(), "reader", &device);
        let found = coherence(&genvp, family, &device);
        assert!(found.judge.percent() > 75.0 && found.own_encoder.percent() < 60.0, "{found:?}");
    }
}

#[test]
fn what_is_stated_is_drawn_and_the_same_seed_draws_the_same() {
    let cases: [(&dyn Family, &str); 2] = [
        (&Pgm, "shape.size=progression:columns line.type=consistent_union:rows"),
        (&Vad, "source.line.type=OR target.shape.color=OR"),
    ];
    for (family, rules) in cases {
        let model = Model::open(Model::default_of(family).unwrap(), &cpu()).unwrap();
        let artist = RelationArtist::new(model.genvp(), family, model.device()).unwrap();
        let sampler = RelationSampler::new(family, None, rules, SEED).unwrap();
        assert_eq!(sampler.sample(3).unwrap().to_string(), rules);
        let drawn = |index| artist.draw(&sampler.sample(0).unwrap(), SEED, index).unwrap();
        assert_eq!(drawn(0), drawn(0));
        assert_ne!(drawn(0), drawn(1));
        let verified = sampler.imagine_until(&artist, 0, 8).unwrap();
        assert!(verified.agrees(), "{}: {}", family.id(), verified.words());
    }
    let error = RelationSampler::new(&Pgm, Some("smell"), "", 1).err().unwrap().to_string();
    assert!(error.contains("pgm has no regime `smell`"), "{error}");
    let analogy = "source.line.type=OR target.shape.color=AND";
    assert!(RelationSampler::new(&Vad, None, analogy, 1).is_err());
}

#[test]
fn a_missing_panel_is_drawn_by_the_rules_and_the_others_stay() {
    for family in FAMILIES {
        let model = Model::open(Model::default_of(family).unwrap(), &cpu()).unwrap();
        let artist = RelationArtist::new(model.genvp(), family, model.device()).unwrap();
        let generator = family.generator(&PuzzleSpec::new(family.strata()[0])).unwrap();
        let last = family.form().panels() - 1;
        let (mut right, mut asked) = (0, 0);
        for index in 0..12 {
            let sheet = generator.puzzle(SEED, index).unwrap().sheet();
            let task = RelationTask::new(&sheet, family, &[last]).unwrap();
            let done = RelationAnswers::new(&artist, task, SEED, 1, &()).unwrap();
            let answer = &done.honest[0];
            assert_eq!(answer.drawing.panels[..last], done.task.panels[..last]);
            assert_ne!(answer.drawing.panels[last], done.task.panels[last], "it is drawn");
            asked += done.task.rules.0.len();
            right += done.task.rules.0.iter().filter(|&&rule| answer.read.holds(rule)).count();
        }
        assert!(4 * right > 3 * asked, "{}: {right} of {asked}", family.id());
        let sheet = generator.puzzle(SEED, 0).unwrap().sheet();
        assert!(RelationTask::new(&sheet, family, &[0, 1]).is_err());
        assert!(RelationTask::new(&sheet, family, &[last + 1]).is_err());
    }
}
