//! What the engine promises: the same puzzle again, built answers marked by the rules, and rules
//! that are offered only where they can hold.

use std::any::Any;

use genvp_puzzle::{Layout, Panel, Puzzle, Set, pgm, relations, vad};
use genvp_studio::engine::{PuzzleRef, QUESTIONS, Refusal, answer, export};
use serde_json::{Value, json};

fn ask(question: &str, body: &Value) -> Result<Value, Refusal> {
    answer(question, body.to_string().as_bytes())
}

fn reference(set: &str, kind: &str, index: u64) -> PuzzleRef {
    let said = json!({ "set": set, "kind": kind, "seed": 11, "index": index });
    serde_json::from_value(said).expect("a reference")
}

fn raven_panel(panel: &Panel) -> Value {
    let object = |e: &genvp_puzzle::Entity| json!({ "slot": e.slot, "shape": e.shape, "size": e.size, "color": e.color, "angle": e.angle });
    let part = |c: &genvp_puzzle::Component| c.entities.iter().map(object).collect::<Vec<_>>();
    json!({ "components": panel.components.iter().map(part).collect::<Vec<_>>() })
}

fn relation_panel(panel: &relations::Panel) -> Value {
    let shapes = panel.shapes.iter().map(|s| {
        json!({ "position": s.position, "shape": s.kind.value(), "size": s.size, "color": s.color })
    });
    let lines = panel.lines.iter().map(|l| json!({ "line": l.kind.value(), "color": l.color }));
    json!({ "shapes": shapes.collect::<Vec<_>>(), "lines": lines.collect::<Vec<_>>() })
}

/// The choices of a made puzzle as they would be built.
fn built(puzzle: &dyn Any) -> Vec<Value> {
    if let Some(puzzle) = puzzle.downcast_ref::<Puzzle>() {
        return puzzle.choices.iter().map(raven_panel).collect();
    }
    if let Some(puzzle) = puzzle.downcast_ref::<pgm::Puzzle>() {
        return puzzle.choices.iter().map(relation_panel).collect();
    }
    let puzzle = puzzle.downcast_ref::<vad::Puzzle>().expect("a family");
    puzzle.choices.iter().map(relation_panel).collect()
}

#[test]
fn the_answer_is_right_and_every_other_choice_is_wrong_when_built() {
    let mut kinds: Vec<(&str, &str)> =
        vec![("pgm", "neutral"), ("pgm", "attrs.pairs"), ("vad", "interpolation")];
    kinds.extend(Layout::ALL.map(|layout| ("iraven", layout.short())));
    for (set, kind) in kinds {
        for index in 0..12 {
            let reference = reference(set, kind, index);
            let made = reference.make().expect("a puzzle");
            for (choice, panel) in built(made.puzzle.as_ref()).into_iter().enumerate() {
                let body = json!({ "puzzle": reference, "panel": panel });
                let mark = ask("mark", &body).expect("a mark");
                let wanted = choice == made.puzzle.target();
                assert_eq!(mark["right"], wanted, "{set} {kind} {index} choice {choice}: {mark}");
                assert_eq!(mark["as_in_the_key"], wanted, "{set} {kind} {index} choice {choice}");
                assert!(ask("panel", &body).expect("a drawing")["svg"].is_string());
            }
        }
    }
}

/// What no rule speaks about may be anything: another angle is as right, and in a grid whose
/// number alone follows a rule, so are other places.
#[test]
fn several_answers_can_be_right() {
    let mut others = 0;
    for index in 0..40 {
        let reference = reference("iraven", "3x3", index);
        let made = reference.make().expect("a puzzle");
        let puzzle: &dyn Any = made.puzzle.as_ref();
        let puzzle = puzzle.downcast_ref::<Puzzle>().expect("RAVEN's");
        let mut panel = puzzle.answer().clone();
        let taken = panel.components[0].mask();
        let Some(free) = (0..9).find(|slot| taken >> slot & 1 == 0) else { continue };
        panel.components[0].entities[0].slot = free;
        let by_number = made.puzzle.rules_text().starts_with("number=");
        let body = json!({ "puzzle": reference, "panel": raven_panel(&panel) });
        let mark = ask("mark", &body).expect("a mark");
        assert_eq!(mark["right"], by_number, "{}: {mark}", made.puzzle.rules_text());
        others += usize::from(by_number);
    }
    assert!(others > 3, "{others}");
}

#[test]
fn impossible_panels_are_refused_by_name() {
    let puzzle = reference("iraven", "o-ic", 0);
    let object = json!({ "slot": 0, "shape": 1, "size": 4, "color": 0 });
    for (panel, says) in [
        (json!({}), "components"),
        (json!({ "components": [[object]] }), "components"),
        (json!({ "components": [[object], []] }), "no object is placed"),
        (json!({ "components": [[object], [object, object]] }), "slot 0"),
        (
            json!({ "components": [[object], [{ "slot": 1, "shape": 1, "size": 1, "color": 1 }]] }),
            "slot 1",
        ),
        (
            json!({ "components": [[object], [{ "slot": 0, "shape": 6, "size": 1, "color": 1 }]] }),
            "shape 6",
        ),
        (
            json!({ "components": [[{ "slot": 0, "shape": 1, "size": 4, "color": 3 }], [object]] }),
            "color 3",
        ),
        (json!({ "shapes": [{ "position": 0, "shape": 0, "size": 0, "color": 0 }] }), "components"),
    ] {
        let refusal =
            ask("mark", &json!({ "puzzle": puzzle, "panel": panel })).expect_err("refused");
        assert_eq!(refusal.status, 422);
        assert!(refusal.message.contains(says), "{}", refusal.message);
    }
    let puzzle = reference("pgm", "neutral", 0);
    let shape = json!({ "position": 0, "shape": 0, "size": 0, "color": 0 });
    for (panel, says) in [
        (json!({ "shapes": [shape, shape] }), "position 0"),
        (json!({ "shapes": [{ "position": 9, "shape": 0, "size": 0, "color": 0 }] }), "position 9"),
        (json!({ "lines": [{ "line": 6, "color": 0 }] }), "line 6"),
        (json!({ "lines": [{ "line": 0, "color": 11 }] }), "color 11"),
    ] {
        let refusal =
            ask("mark", &json!({ "puzzle": puzzle, "panel": panel })).expect_err("refused");
        assert!(refusal.message.contains(says), "{}", refusal.message);
    }
}

#[test]
fn every_offered_rule_can_be_made_and_every_other_has_its_reason() {
    for (set, kind, rules) in [
        ("iraven", "c-s", ""),
        ("iraven", "3x3", "number=progression:+1"),
        ("raven", "o-ig", "in.type=constant"),
        ("pgm", "neutral", "shape.number=progression"),
        ("pgm", "attr.rels", ""),
        ("vad", "interpolation", ""),
        ("vad", "interpolation", "source.shape.color=XOR"),
    ] {
        let grid =
            ask("grid", &json!({ "set": set, "kind": kind, "rules": rules })).expect("a grid");
        let (mut offered, mut reasons) = (0, 0);
        for row in grid["rows"].as_array().expect("rows") {
            let key = row["attribute"].as_str().expect("a name");
            for cell in row["cells"].as_array().expect("cells") {
                let texts = cell["texts"].as_array().expect("texts");
                assert_eq!(texts.is_empty(), cell["reason"].is_string(), "{set} {key} {cell}");
                reasons += usize::from(texts.is_empty());
                offered += texts.len();
                for text in texts {
                    let others = rules
                        .split(' ')
                        .filter(|r| !r.is_empty() && !r.starts_with(&format!("{key}=")));
                    let all: Vec<&str> = others.chain(text.as_str()).collect();
                    // Half an analogy cannot be made alone.
                    if set == "vad" && all.len() == 1 {
                        continue;
                    }
                    let wanted = PuzzleRef { rules: all.join(" "), ..reference(set, kind, 0) };
                    assert!(wanted.make().is_ok(), "{set} {kind} {all:?}");
                }
            }
        }
        assert!(
            offered > 5 && reasons > 0,
            "{set} {kind} {rules}: {offered} offered, {reasons} not"
        );
    }
}

#[test]
fn puzzles_of_the_wanted_difficulty_are_found() {
    for (set, kind) in [("iraven", "c-s"), ("iraven", "o-ig"), ("raven", "l-r"), ("pgm", "neutral")]
    {
        for (least, most) in [(1, 2), (3, 4)] {
            let body =
                json!({ "puzzle": reference(set, kind, 0), "active_rules": [least, most], "n": 3 });
            let made = ask("make", &body).expect("puzzles");
            for puzzle in made["puzzles"].as_array().expect("puzzles") {
                let active = puzzle["active_rules"].as_u64().expect("a number");
                assert!((least..=most).contains(&active), "{set} {kind}: {active}");
                let again = ask("make", &json!({ "puzzle": puzzle["puzzle"] })).expect("a puzzle");
                assert_eq!(again["puzzles"][0], *puzzle, "its link makes it again");
            }
        }
    }
    let never = json!({ "puzzle": reference("iraven", "c-s", 0), "active_rules": [9, 9] });
    assert_eq!(ask("make", &never).expect_err("none").status, 422);
}

#[test]
fn a_puzzle_is_the_one_that_the_engine_makes() {
    let maker = genvp_puzzle::make::Maker::new(genvp_puzzle::make::Request::new(
        Set::IRaven,
        Layout::UpDown,
    ));
    let puzzle = maker.and_then(|maker| maker.puzzle(11, 4)).expect("a puzzle");
    let said = ask("make", &json!({ "puzzle": reference("iraven", "u-d", 4) })).expect("a puzzle");
    assert_eq!(said["puzzles"][0]["target"], puzzle.target);
}

#[test]
fn what_makes_no_sense_is_refused_and_never_panics() {
    for question in QUESTIONS.into_iter().filter(|question| *question != "catalog") {
        for body in [
            &b""[..],
            b"{",
            b"null",
            b"[]",
            b"{\"puzzle\":1}",
            b"\xff\xfe",
            b"{\"set\":\"iraven\"}",
        ] {
            let refusal = answer(question, body).expect_err("refused");
            assert_eq!(refusal.status, 400, "{question}");
        }
    }
    assert_eq!(answer("nothing", b"").expect_err("no such question").status, 404);
    for (set, kind, rules) in [
        ("iraven", "neutral", ""),
        ("pgm", "3x3", ""),
        ("", "", ""),
        ("iraven", "3x3", "type"),
        ("iraven", "3x3", "type=arithmetic"),
        ("iraven", "c-s", "number=progression"),
        ("pgm", "neutral", "shape.number=XOR"),
        ("vad", "interpolation", "source.shape.color=XOR"),
    ] {
        let wanted = PuzzleRef { rules: rules.to_owned(), ..reference(set, kind, 0) };
        assert_eq!(wanted.make().expect_err("impossible").status, 422, "{set} {kind} {rules}");
    }
    let long = PuzzleRef { rules: "type=constant ".repeat(500), ..reference("iraven", "c-s", 0) };
    assert!(long.make().is_err());
    let last = PuzzleRef { index: u64::MAX, seed: u64::MAX, ..reference("iraven", "c-s", 0) };
    assert!(last.make().is_ok() && last.make_with_active_rules(1, 8, &|| Ok(())).is_err());
}

#[test]
fn items_are_written_in_every_format_of_the_engine() {
    let items: Vec<PuzzleRef> = vec![
        reference("iraven", "2x2", 0),
        reference("pgm", "neutral", 1),
        reference("vad", "interpolation", 2),
    ];
    for (format, least) in [
        ("pdf", 1),
        ("sheet", 2),
        ("svg", 3),
        ("csv", 1),
        ("jspsych", 2),
        ("moodle", 1),
        ("psychopy", 4),
        ("png", 3),
    ] {
        let body = json!({ "items": items, "format": format, "title": "A <test> & more" });
        let files = export(body.to_string().as_bytes()).expect("files");
        assert!(files.len() >= least, "{format}: {}", files.len());
        assert!(files.iter().all(|file| !file.bytes.is_empty() && !file.name.contains('/')));
    }
    let npz = json!({ "items": items, "format": "npz" });
    assert_eq!(export(npz.to_string().as_bytes()).expect_err("not alone").status, 422);
    let paper = json!({ "items": items, "format": "pdf", "per_page": 3 });
    assert_eq!(export(paper.to_string().as_bytes()).expect_err("no such page").status, 422);
}

/// Every set's first puzzles of every layout or regime: the set, its entry in the catalog.
fn kinds() -> Vec<(String, Value)> {
    let all = ask("catalog", &json!({})).expect("a catalog");
    let families = all["families"].as_array().expect("families");
    let of = |family: &Value| {
        let set = family["sets"][0]["name"].as_str().expect("a set").to_owned();
        let kinds = family["kinds"].as_array().expect("kinds").clone();
        kinds.into_iter().map(move |kind| (set.clone(), kind)).collect::<Vec<_>>()
    };
    families.iter().flat_map(of).collect()
}

#[test]
fn every_number_of_changing_rules_that_the_page_offers_is_made() {
    for (set, kind) in kinds() {
        let most = kind["most_rules"].as_u64().expect("a number");
        for range in [[1, 2], [3, 4], [5, 6]].into_iter().filter(|[least, _]| *least <= most) {
            for seed in 1..=4 {
                let puzzle = json!({ "set": set, "kind": kind["name"], "seed": seed, "index": 0 });
                let made = ask("make", &json!({ "puzzle": puzzle, "active_rules": range }));
                let made = made.unwrap_or_else(|refusal| panic!("{kind} {range:?}: {refusal:?}"));
                let changing = made["puzzles"][0]["active_rules"].as_u64().expect("a number");
                assert!((range[0]..=range[1]).contains(&changing), "{kind} {range:?}: {changing}");
            }
        }
        let many = json!({ "puzzle": { "set": set, "kind": kind["name"], "seed": 5, "index": 0 }, "n": 64 });
        let made = ask("make", &many).expect("puzzles");
        for puzzle in made["puzzles"].as_array().expect("puzzles") {
            assert!(puzzle["active_rules"].as_u64() <= Some(most), "{kind}: {puzzle}");
        }
    }
}

#[test]
fn tools_have_the_names_that_broken_rules_are_told_with() {
    let puzzle = json!({ "set": "iraven", "kind": "c-s", "seed": 7, "index": 3 });
    let tools = ask("builder", &json!({ "puzzle": puzzle })).expect("tools");
    let names = |what: &str| {
        let all = tools["components"][0][what].as_array().expect("values").clone();
        all.into_iter().map(|one| one["name"].as_str().expect("a name").to_owned())
    };
    let known: Vec<String> = names("sizes").chain(names("colors")).collect();
    let mut compared = 0;
    for (size, color) in [(0, 0), (5, 9), (2, 4)] {
        let panel =
            json!({ "components": [[{ "slot": 0, "shape": 1, "size": size, "color": color }]] });
        let mark = ask("mark", &json!({ "puzzle": puzzle, "panel": panel })).expect("a mark");
        for words in mark["broken"].as_array().expect("words") {
            let words = words.as_str().expect("words");
            if !words.starts_with("size") && !words.starts_with("color") {
                continue;
            }
            let found = words.rsplit("not ").next().expect("what was found");
            assert!(known.iter().any(|name| name == found), "{found} is not among {known:?}");
            compared += 1;
        }
    }
    assert!(compared >= 3, "{compared}");
}

#[test]
fn what_cannot_be_read_is_said_without_types_of_a_programming_language() {
    for body in
        ["null", r#"{"puzzle": 3}"#, r#"{"puzzle": {"set": "vad", "kind": "x", "seed": -1}}"#]
    {
        let refusal = answer("make", body.as_bytes()).expect_err("no request").message;
        assert!(!refusal.contains("struct") && !refusal.contains("u64"), "{refusal}");
    }
}
