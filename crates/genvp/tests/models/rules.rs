//! `genvp rules`.

use std::fs;

use genvp_puzzle::Layout;

use crate::command::{json, refuse, succeed};
use crate::puzzles::{puzzle, write_npz};

#[test]
fn every_experts_matrix_is_made_of_probabilities() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::UpDown, 2));
    let line = &json(root, &["rules", "p.npz", "--json"])[0];
    let experts = line["experts"].as_object().unwrap();
    assert_eq!(experts.len(), 14);
    for matrix in experts.values().chain([&line["mixed"]]) {
        let rows = matrix.as_array().unwrap();
        assert_eq!(rows.len(), 12);
        for row in rows {
            let sum: f64 = row.as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{row}");
        }
    }
    assert_eq!(line["attributes"][0], "up.number/position");
    assert_eq!(line["columns"][0], "none");
    let text = succeed(root, &["rules", "p.npz"]);
    assert!(text.contains("down.color") && text.contains("row-latents"), "{text}");
}

#[test]
fn heat_maps_are_written_whole_and_not_over_others() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::CenterSingle, 2));
    write_npz(&root.join("q.npz"), &puzzle(Layout::CenterSingle, 3));
    succeed(root, &["rules", "p.npz", "--out", "rules.svg"]);
    let svg = fs::read_to_string(root.join("rules.svg")).unwrap();
    for words in ["All experts", "Expert: full", "Expert: context", "distribute-three", "color"] {
        assert!(svg.contains(words), "{words}");
    }
    succeed(root, &["rules", "p.npz", "--out", "rules.png"]);
    assert!(fs::read(root.join("rules.png")).unwrap().starts_with(b"\x89PNG"));
    refuse(root, &["rules", "p.npz", "--out", "rules.png"], 1, "rules.png: exists already");
    succeed(root, &["rules", "p.npz", "--out", "rules.png", "--force"]);
    refuse(root, &["rules", "p.npz", "--out", "rules.gif"], 1, "not a picture format");
    refuse(root, &["rules", "p.npz", "q.npz", "--out", "two.png"], 1, "draws one puzzle");
    let left: Vec<_> = fs::read_dir(root).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "two puzzles and two pictures: {left:?}");
}
