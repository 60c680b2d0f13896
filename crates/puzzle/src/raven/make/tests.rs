use super::*;
use crate::raven::{Attribute, Domain, Group, Layout, RuleKind, RuleMatrix, Set, check};

fn makers(change: impl Fn(&mut Request)) -> Vec<Maker> {
    Set::ALL
        .into_iter()
        .flat_map(|set| Layout::ALL.map(|layout| Request::new(set, layout)))
        .map(|mut request| {
            change(&mut request);
            Maker::new(request).expect("possible")
        })
        .collect()
}

/// All rules hold in all three rows, as stated.
fn rules_hold(puzzle: &Puzzle) -> bool {
    let stated = check::Stated::of(puzzle);
    let mut panels: Vec<&Panel> = puzzle.context.iter().collect();
    panels.push(puzzle.answer());
    (0..3).all(|row| {
        (0..puzzle.rules.len()).all(|component| {
            let components =
                std::array::from_fn(|column| &panels[row * 3 + column].components[component]);
            Group::ALL.iter().all(|&group| {
                check::holds(&stated, component, group, row, components, check::Order::Made)
            })
        })
    })
}

/// Every level lies in the range of its component, every object in a slot of its own.
fn is_in_range(puzzle: &Puzzle) -> bool {
    puzzle.panels().all(|panel| {
        puzzle.layout.components().iter().zip(&panel.components).all(|(&kind, component)| {
            let in_range = |attribute, level: u8| {
                puzzle.domain.range(kind, attribute).contains(i32::from(level))
            };
            component.mask().count_ones() as usize == component.entities.len()
                && !component.entities.is_empty()
                && component.entities.iter().all(|e| {
                    usize::from(e.slot) < kind.slot_count()
                        && in_range(Attribute::Type, e.shape)
                        && in_range(Attribute::Size, e.size)
                        && in_range(Attribute::Color, e.color)
                        && usize::from(e.angle) < puzzle.domain.angles().len()
                })
        })
    })
}

#[test]
fn rules_hold_in_every_row_and_only_the_target_is_right() {
    for maker in makers(|_| ()) {
        for index in 0..300 {
            let puzzle = maker.puzzle(11, index).unwrap();
            let name = format!("{:?} {} {index}", puzzle.set, puzzle.layout);
            assert!(rules_hold(&puzzle), "{name}");
            assert!(is_in_range(&puzzle), "{name}");
            assert!(is_sound(&puzzle), "{name}");
        }
    }
}

#[test]
fn every_domain_and_variant_can_be_made() {
    for domain in Domain::ALL {
        for maker in makers(|request| request.domain = domain) {
            for index in 0..40 {
                let puzzle = maker.puzzle(5, index).unwrap();
                assert!(rules_hold(&puzzle) && is_in_range(&puzzle), "{domain:?}");
            }
        }
    }
    for layout in Layout::ALL {
        let mut request = Request::new(Set::IRaven, layout);
        request.uniform = true;
        let Ok(maker) = Maker::new(request) else {
            assert_eq!(layout.components().iter().map(|p| p.slot_count()).max(), Some(1));
            continue;
        };
        for index in 0..40 {
            let puzzle = maker.puzzle(5, index).unwrap();
            assert_eq!(puzzle.uniformity[..puzzle.rules.len()], [3, 3][..puzzle.rules.len()]);
            let components = puzzle.panels().flat_map(|p| &p.components);
            assert!(components.flat_map(|p| &p.entities).all(|e| e.angle == 3));
        }
    }
}

#[test]
fn a_puzzle_is_a_function_of_seed_and_index_alone() {
    for maker in makers(|_| ()) {
        let puzzle = maker.puzzle(7, 3).unwrap();
        let again = Maker::new(maker.request().clone()).unwrap();
        let _ = again.puzzle(7, 2);
        assert_eq!(again.puzzle(7, 3).unwrap(), puzzle);
        assert_ne!(maker.puzzle(8, 3).unwrap(), puzzle);
        assert_ne!(maker.puzzle(7, 4).unwrap(), puzzle);
    }
}

#[test]
fn stated_rules_are_kept() {
    let layout = Layout::OutInGrid;
    let text = "out.size=progression:-1 in.position=arithmetic:- in.color=distribute-three";
    let mut request = Request::new(Set::IRaven, layout);
    request.rules = RuleMatrix::parse(text, layout).unwrap();
    let maker = Maker::new(request).unwrap();
    for index in 0..50 {
        let made = RuleMatrix::of(&maker.puzzle(1, index).unwrap().rules).text(layout);
        for piece in text.split(' ') {
            assert!(made.contains(piece), "{made}");
        }
    }
}

#[test]
fn held_out_rules_never_occur() {
    for held_out in HeldOut::ALL {
        let mut request = Request::new(Set::Raven, held_out.layout());
        request.held_out = Some(held_out);
        let maker = Maker::new(request).unwrap();
        for index in 0..500 {
            let puzzle = maker.puzzle(3, index).unwrap();
            for (component, rules) in puzzle.rules.iter().enumerate() {
                assert!(rules.0.iter().all(|&rule| !held_out.excludes(component, rule)));
            }
        }
        let mut wrong = Request::new(Set::Raven, Layout::UpDown);
        wrong.held_out = Some(held_out);
        assert!(Maker::new(wrong).is_err());
    }
}

#[test]
fn raven_changes_one_attribute_and_iraven_all_subsets_of_three() {
    for layout in Layout::ALL {
        let maker = Maker::new(Request::new(Set::Raven, layout)).unwrap();
        for index in 0..50 {
            let puzzle = maker.puzzle(2, index).unwrap();
            let lengths = puzzle.changes.iter().map(|c| c.len());
            assert_eq!(lengths.filter(|&n| n == 1).count(), 7);
        }
        let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
        let mut full = 0;
        for index in 0..200 {
            let puzzle = maker.puzzle(2, index).unwrap();
            let mut counts = [0; 9];
            for changes in &puzzle.changes {
                counts[changes.len()] += 1;
            }
            full += usize::from(counts[..4] == [1, 3, 3, 1]);
        }
        // Facts C3: three attributes can be changed in 98 % of puzzles overall.
        assert!(full >= 180, "{layout}: {full} of 200");
    }
}

/// Facts B5: how often the rows of a union or difference are uninformative.
#[test]
fn positions_add_up_as_often_trivially_as_in_the_originals() {
    let mut request = Request::new(Set::Raven, Layout::DistributeNine);
    request.rules = RuleMatrix::parse("position=arithmetic", request.layout).unwrap();
    let maker = Maker::new(request).unwrap();
    let (mut unions, mut inside, mut differences, mut disjoint) = (0, 0, 0, 0);
    for index in 0..2000 {
        let puzzle = maker.puzzle(4, index).unwrap();
        let [first, second] = [0, 1].map(|i| puzzle.context[i].components[0].mask());
        if puzzle.rules[0].of(Group::NumberPosition).step > 0 {
            unions += 1;
            inside += u32::from(first & !second == 0);
        } else {
            differences += 1;
            disjoint += u32::from(first & second == 0);
        }
    }
    assert!(unions > 900 && differences > 900);
    assert!(inside * 100 > unions * 8 && disjoint * 100 < differences * 10, "{inside} {disjoint}");
}

#[test]
fn constant_without_noise_is_the_only_rule_of_single_objects_number() {
    let maker = Maker::new(Request::new(Set::Raven, Layout::CenterSingle)).unwrap();
    let puzzle = maker.puzzle(1, 1).unwrap();
    let rule = puzzle.rules[0].of(Group::NumberPosition);
    assert_eq!((rule.attribute, rule.kind), (Attribute::NumberPosition, RuleKind::Constant));
}

#[test]
fn a_distribute_three_hands_out_the_values_that_are_stated() {
    let text =
        "number=distribute-three:1/4/9 color=distribute-three:0/3/7 type=distribute-three:1/3/5";
    let layout = Layout::DistributeNine;
    let rules = RuleMatrix::parse(text, layout).unwrap();
    assert!(rules.text(layout).contains("number=distribute-three:1/4/9"), "{}", rules.text(layout));
    assert_eq!(RuleMatrix::parse(&rules.text(layout).replace("size=free", ""), layout), Ok(rules));
    let maker = Maker::new(Request { rules, ..Request::new(Set::IRaven, layout) }).unwrap();
    for index in 0..40 {
        let puzzle = maker.puzzle(3, index).unwrap();
        let values = |group: Group| {
            let latin = puzzle.latin[0][group.index()].unwrap();
            latin.rows[2].iter().fold(0, |bits, level| bits | 1 << level)
        };
        assert_eq!(values(Group::NumberPosition), 1 | 1 << 3 | 1 << 8);
        assert_eq!(values(Group::Color), 1 | 1 << 3 | 1 << 7);
        assert_eq!(values(Group::Type), 1 << 1 | 1 << 3 | 1 << 5);
        let scene = crate::raven::judge::stress::nine(&puzzle);
        let asked = |text: &str| {
            let stated = RuleMatrix::parse(text, layout).unwrap();
            let mut rules = RuleMatrix::of(&puzzle.rules);
            for attribute in Attribute::ALL {
                rules.set_handed_out(0, attribute, stated.handed_out(0, attribute));
            }
            crate::raven::judge::RuleSpec::new(layout, rules).unwrap()
        };
        let agrees =
            |text: &str| crate::raven::judge::judge_scene(scene.clone(), &asked(text)).agrees();
        assert!(agrees(text) && agrees(""));
        assert!(!agrees("color=distribute-three:0/3/8"), "other greys were asked for");
    }
    let refused = |text: &str| match RuleMatrix::parse(text, layout) {
        Err(problem) => problem.to_string(),
        Ok(rules) => {
            let request = Request { rules, ..Request::new(Set::IRaven, layout) };
            Maker::new(request).expect_err("refused").to_string()
        }
    };
    assert!(refused("size=distribute-three:1/1/2").contains("three different"));
    assert!(refused("size=distribute-three:1/2").contains("three different"));
    assert!(refused("position=distribute-three:1/2/3").contains("slots"));
    assert!(refused("type=distribute-three:0/1/2").contains("1 to 5"));
}
