//! What can be asked for, and what is refused with a reason.

use genvp_puzzle::pgm::{self, HeldOut};
use genvp_puzzle::relations::{Attribute, Axis, Relation, SpecError, Split, Triple};
use genvp_puzzle::vad;

fn triple(attribute: Attribute, relation: Relation) -> Triple {
    Triple { attribute, relation }
}

fn pgm_error(regime: pgm::Regime, split: Split, triples: &[Triple]) -> String {
    let mut request = pgm::Request::new(regime, split);
    request.structure = triples.iter().map(|&t| (t, None)).collect();
    pgm::Maker::new(request).unwrap_err().to_string()
}

#[test]
fn a_puzzle_is_a_function_of_seed_regime_split_and_index() {
    let make = |regime, split, seed, index| {
        pgm::Maker::new(pgm::Request::new(regime, split)).unwrap().puzzle(seed, index).unwrap()
    };
    let puzzle = make(pgm::Regime::Neutral, Split::Train, 5, 9);
    assert_eq!(puzzle, make(pgm::Regime::Neutral, Split::Train, 5, 9));
    assert_ne!(puzzle.context, make(pgm::Regime::Neutral, Split::Train, 6, 9).context);
    assert_ne!(puzzle.context, make(pgm::Regime::Neutral, Split::Train, 5, 8).context);
    assert_ne!(puzzle.context, make(pgm::Regime::Neutral, Split::Test, 5, 9).context);
    assert_ne!(puzzle.context, make(pgm::Regime::HeldOutTriples, Split::Train, 5, 9).context);
}

#[test]
fn every_legal_triple_can_be_asked_for_along_both_axes() {
    for triple in Triple::legal() {
        for axis in Axis::ALL {
            let mut request = pgm::Request::new(pgm::Regime::Neutral, Split::Train);
            request.structure = vec![(triple, Some(axis))];
            let puzzle = pgm::Maker::new(request).unwrap().puzzle(1, 0).unwrap();
            assert_eq!(puzzle.structure[..], [pgm::Governed { triple, axis }]);
        }
    }
}

#[test]
fn every_pair_of_triples_without_conflict_can_be_had() {
    let legal: Vec<Triple> = Triple::legal().collect();
    for (i, &a) in legal.iter().enumerate() {
        for &b in legal[..i].iter().filter(|b| a.conflict(**b).is_none()) {
            for regime in [pgm::Regime::Neutral, pgm::Regime::Interpolation] {
                let mut request = pgm::Request::new(regime, Split::Train);
                request.structure = vec![(a, None), (b, None)];
                if let Ok(maker) = pgm::Maker::new(request) {
                    maker.puzzle(1, 0).unwrap_or_else(|e| panic!("{a} and {b}: {e}"));
                }
            }
        }
    }
}

#[test]
fn every_legal_analogy_can_be_asked_for() {
    for analogy in vad::Analogy::legal() {
        let made = Split::ALL.into_iter().filter(|&split| {
            let kind = vad::ChoiceKind::Lbc;
            let mut request = vad::Request::new(vad::Regime::DomainTransfer, split, kind);
            request.analogy = Some(analogy);
            vad::Maker::new(request).is_ok_and(|maker| {
                maker.puzzle(1, 0).unwrap_or_else(|e| panic!("{analogy}: {e}")).analogy == analogy
            })
        });
        // Either in training and validation, or in the test.
        assert!((1..=2).contains(&made.count()), "{analogy}");
    }
}

#[test]
fn impossible_structures_are_refused_with_the_reason() {
    use Attribute::{LineColor, LineType, ShapeColor, ShapeNumber, ShapePosition};
    use Relation::{Or, Progression, Union, Xor};
    use pgm::Regime;
    let neutral = |triples: &[Triple]| pgm_error(Regime::Neutral, Split::Train, triples);
    assert_eq!(
        neutral(&[triple(ShapeNumber, Xor)]),
        "no puzzle has shape number XOR: it is not one of the legal triples"
    );
    assert_eq!(
        neutral(&[triple(ShapeNumber, Union), triple(ShapePosition, Or)]),
        "shape number consistent_union and shape position OR cannot govern one puzzle: \
         positions determine the number"
    );
    assert_eq!(
        neutral(&[triple(LineType, Union), triple(LineColor, Or)]),
        "line type consistent_union and line color OR cannot govern one puzzle: \
         a union of line types leaves one line a panel, which has one grey"
    );
    assert_eq!(
        neutral(&[triple(ShapeColor, Or), triple(ShapeColor, Xor)]),
        "shape color OR and shape color XOR cannot govern one puzzle: \
         an attribute follows one relation only"
    );
    assert_eq!(
        pgm_error(Regime::HeldOutTriplePairs, Split::Train, &[triple(ShapeColor, Or)]),
        "1 triples: a puzzle of attr.rel.pairs has 2 to 4"
    );
    assert_eq!(
        pgm_error(Regime::HeldOutShapeColor, Split::Train, &[triple(ShapeColor, Or)]),
        "shape color OR does not belong to attrs.shape.color train: no puzzle has shape color"
    );
    assert_eq!(
        pgm_error(Regime::Extrapolation, Split::Test, &[triple(ShapeNumber, Progression)]),
        "shape number progression does not belong to extrapolation test: \
         some triple governs a color or a size"
    );
}

#[test]
fn lists_of_what_is_held_out_are_constants_of_the_regime() {
    let HeldOut::Triples(triples) = HeldOut::of(pgm::Regime::HeldOutTriples) else { panic!() };
    let names: Vec<String> = triples.iter().map(ToString::to_string).collect();
    assert_eq!(names, HELD_OUT_TRIPLES);
    let HeldOut::TriplePairs(pairs) = HeldOut::of(pgm::Regime::HeldOutTriplePairs) else {
        panic!()
    };
    let names: Vec<String> = pairs.iter().map(|[a, b]| format!("{a} + {b}")).collect();
    assert_eq!(names, HELD_OUT_TRIPLE_PAIRS);
    let HeldOut::AttributePairs(pairs) = HeldOut::of(pgm::Regime::HeldOutAttributePairs) else {
        panic!()
    };
    let names: Vec<String> = pairs.iter().map(|[a, b]| format!("{a}, {b}")).collect();
    assert_eq!(names, HELD_OUT_ATTRIBUTE_PAIRS);
    let names: Vec<String> =
        vad::held_out_pairs().iter().map(|[a, b]| format!("{a} to {b}")).collect();
    assert_eq!(names, HELD_OUT_DOMAINS);
}

const HELD_OUT_TRIPLES: [&str; 7] = [
    "shape color XOR",
    "shape number consistent_union",
    "shape position XOR",
    "shape size progression",
    "shape type progression",
    "line color XOR",
    "line type XOR",
];
const HELD_OUT_TRIPLE_PAIRS: [&str; 40] = [
    "shape color progression + shape number progression",
    "shape color progression + shape size consistent_union",
    "shape color progression + shape type progression",
    "shape color XOR + line color AND",
    "shape color XOR + line type consistent_union",
    "shape color OR + shape number progression",
    "shape color OR + shape number consistent_union",
    "shape color OR + line color AND",
    "shape color AND + shape type XOR",
    "shape color AND + shape type OR",
    "shape color AND + line color XOR",
    "shape color AND + line type XOR",
    "shape color consistent_union + shape position XOR",
    "shape color consistent_union + shape type consistent_union",
    "shape number progression + line color XOR",
    "shape number progression + line type XOR",
    "shape number progression + line type OR",
    "shape number progression + line type consistent_union",
    "shape number consistent_union + shape size consistent_union",
    "shape number consistent_union + line color consistent_union",
    "shape position OR + shape size XOR",
    "shape position OR + line color progression",
    "shape position OR + line type XOR",
    "shape position AND + shape size XOR",
    "shape position AND + shape size AND",
    "shape size progression + shape type progression",
    "shape size progression + line color progression",
    "shape size progression + line color XOR",
    "shape size XOR + line type AND",
    "shape size OR + line color OR",
    "shape size OR + line type XOR",
    "shape size AND + shape type progression",
    "shape size AND + line type AND",
    "shape size consistent_union + line color AND",
    "shape type progression + line type XOR",
    "shape type OR + line type XOR",
    "shape type AND + line type AND",
    "shape type consistent_union + line color progression",
    "line color progression + line type OR",
    "line color AND + line type XOR",
];
const HELD_OUT_ATTRIBUTE_PAIRS: [&str; 4] = [
    "shape color, shape position",
    "shape color, line color",
    "shape number, line type",
    "shape position, line type",
];
const HELD_OUT_DOMAINS: [&str; 8] = [
    "shape color to shape size",
    "shape number to shape color",
    "shape number to shape size",
    "shape position to shape size",
    "shape position to shape type",
    "shape position to line type",
    "line type to shape position",
    "line type to shape type",
];

#[test]
fn pgms_other_lists_take_their_place_or_are_refused() {
    use Attribute::{LineType, ShapeColor, ShapeNumber, ShapePosition};
    let with = |regime, held_out| {
        let mut request = pgm::Request::new(regime, Split::Test);
        request.held_out = Some(held_out);
        pgm::Maker::new(request)
    };
    let list = HeldOut::Triples(vec![triple(LineType, Relation::And)]);
    let maker = with(pgm::Regime::HeldOutTriples, list.clone()).unwrap();
    assert_eq!(*maker.held_out(), list);
    for index in 0..20 {
        let puzzle = maker.puzzle(1, index).unwrap();
        let held = triple(LineType, Relation::And);
        assert!(puzzle.structure.iter().any(|g| g.triple == held));
    }
    let refused = |regime, held_out| with(regime, held_out).unwrap_err();
    use pgm::Regime::{HeldOutAttributePairs, HeldOutTriples, Neutral};
    assert!(is_held_out(refused(Neutral, list.clone())));
    assert!(is_held_out(refused(HeldOutAttributePairs, list)));
    assert!(is_held_out(refused(HeldOutTriples, HeldOut::Triples(Vec::new()))));
    assert!(is_held_out(refused(HeldOutTriples, HeldOut::Triples(Triple::legal().collect()))));
    let twice = vec![[ShapeColor, LineType], [LineType, ShapeColor]];
    assert!(is_held_out(refused(HeldOutAttributePairs, HeldOut::AttributePairs(twice))));
    let never = vec![[ShapePosition, ShapeNumber]];
    assert!(is_held_out(refused(HeldOutAttributePairs, HeldOut::AttributePairs(never))));
    // The originals may have two relations on one attribute: such pairs stay in a list
    // that has others, though no puzzle of ours has them.
    use pgm::Regime::HeldOutTriplePairs;
    let [xor, or] = [Relation::Xor, Relation::Or].map(|r| triple(ShapeColor, r));
    let lines = triple(LineType, Relation::And);
    let recovered = HeldOut::TriplePairs(vec![[xor, or], [xor, lines]]);
    assert_eq!(recovered.never_made(), [[xor, or]]);
    let maker = with(HeldOutTriplePairs, recovered).unwrap();
    for index in 0..20 {
        let puzzle = maker.puzzle(1, index).unwrap();
        let has = |t| puzzle.structure.iter().any(|g| g.triple == t);
        assert!(has(xor) && has(lines));
    }
    let never = |pair| HeldOut::TriplePairs(vec![pair]);
    assert!(is_held_out(refused(HeldOutTriplePairs, never([xor, or]))));
    let number = triple(ShapeNumber, Relation::Union);
    let position = triple(ShapePosition, Relation::Or);
    assert!(is_held_out(refused(HeldOutTriplePairs, never([number, position]))));
    let illegal = HeldOut::Triples(vec![triple(ShapeNumber, Relation::Or)]);
    assert!(matches!(refused(HeldOutTriples, illegal), SpecError::IllegalTriple(_)));
}

fn is_held_out(error: SpecError) -> bool {
    matches!(error, SpecError::HeldOut { .. })
}

#[test]
fn vads_other_lists_take_their_place_or_are_refused() {
    use Attribute::{LineType, ShapeColor, ShapeNumber, ShapePosition};
    let with = |regime, pairs: Vec<[Attribute; 2]>| {
        let mut request = vad::Request::new(regime, Split::Test, vad::ChoiceKind::Lbc);
        request.held_out = Some(pairs);
        vad::Maker::new(request)
    };
    use vad::Regime::{DomainTransfer, Interpolation};
    let maker = with(DomainTransfer, vec![[ShapeColor, LineType]]).unwrap();
    assert_eq!(maker.puzzle(1, 0).unwrap().analogy.target, LineType);
    let refused = |regime, pairs| is_held_out(with(regime, pairs).unwrap_err());
    assert!(refused(Interpolation, vec![[ShapeColor, LineType]]));
    assert!(refused(DomainTransfer, Vec::new()));
    assert!(refused(DomainTransfer, vec![[ShapeNumber, ShapePosition]]));
    assert!(refused(DomainTransfer, vec![[ShapeColor, LineType]; 2]));
    let all: Vec<[Attribute; 2]> = vad::Analogy::legal()
        .map(|a| [a.source, a.target])
        .filter(|pair| pair[0] == ShapeColor)
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    assert!(refused(DomainTransfer, all));
}
