//! What all drawings promise.

use std::path::PathBuf;

use proptest::prelude::*;

use super::samples::{one_panel, one_puzzle};
use super::*;
use genvp_puzzle::{Domain, Layout};

/// Compares with a kept file; `GENVP_BLESS=1` writes it anew.
fn assert_golden(name: &str, svg: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/draw").join(name);
    if std::env::var_os("GENVP_BLESS").is_some() {
        std::fs::write(&path, svg).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(svg, kept, "{name} has changed: look at it, then GENVP_BLESS=1");
}

#[test]
fn one_panel_of_every_layout_looks_as_it_did() {
    for layout in Layout::ALL {
        let picture = panel(&one_panel(layout), layout, Domain::Standard);
        assert_golden(&format!("panel-{}.svg", layout.short()), &picture.svg());
    }
}

#[test]
fn a_panel_has_a_frame_around_paper_with_ink_on_it() {
    for layout in Layout::ALL {
        let picture = panel(&one_panel(layout), layout, Domain::Standard);
        for scale in [1.0, 1.5, 2.0, 3.7] {
            let raster = picture.raster(scale).unwrap();
            let (grey, side) = (raster.grey(), raster.width);
            let border = |i: usize| [grey[i], grey[i * side], grey[(i + 1) * side - 1]];
            for i in 0..side {
                assert!(border(i).iter().all(|&g| (100..220).contains(&g)), "{layout} {scale}");
            }
            assert_eq!(grey[side * (side / 20) + side / 20], 255, "paper in the corner");
            assert!(grey.contains(&0), "ink");
        }
    }
}

#[test]
fn an_object_is_filled_with_its_exact_grey() {
    for (color, &value) in Domain::Standard.colors().iter().enumerate() {
        for shape in 1..=5 {
            let scene = samples::panel_of(&[&[samples::entity(0, shape, 4, color as u8)]]);
            let raster = panel(&scene, Layout::CenterSingle, Domain::Standard).raster(1.0).unwrap();
            assert_eq!(raster.grey()[81 * raster.width + 81], value, "shape {shape}");
        }
    }
}

#[test]
fn objects_turn_counter_clockwise() {
    let ink_left_of_right = |angle| {
        let mut entity = samples::entity(0, 1, 4, 9);
        entity.angle = angle;
        let scene = samples::panel_of(&[&[entity]]);
        let raster = panel(&scene, Layout::CenterSingle, Domain::Standard).raster(1.0).unwrap();
        let row = &raster.grey()[81 * raster.width..82 * raster.width];
        let reach = |x: &dyn Fn(usize) -> usize| (0..80).filter(|&d| row[x(d)] < 128).count();
        reach(&|d| 80 - d) > reach(&|d| 81 + d)
    };
    // +90 degrees (level 5) turns the tip from the top to the left.
    assert!(ink_left_of_right(5));
    assert!(!ink_left_of_right(1));
}

#[test]
fn the_same_drawing_gives_the_same_bytes() {
    let scene = one_puzzle();
    let draw = || puzzle(&Board::of_puzzle(&scene), &Notes::of_puzzle(&scene));
    assert_eq!(draw().png(1.3).unwrap(), draw().png(1.3).unwrap());
    assert_eq!(draw().svg(), draw().svg());
}

#[test]
fn images_are_shown_pixel_by_pixel() {
    let images: Vec<GreyImage> = (0..16u8)
        .map(|i| {
            let pixels: Vec<u8> = (0..160 * 160).map(|p| (p * 7 + usize::from(i)) as u8).collect();
            GreyImage::new(160, 160, &pixels).unwrap()
        })
        .collect();
    let picture = puzzle(&Board::of_images(&images[..8], &images[8..]), &Notes::default());
    let Some(Mark::Image { area, image }) =
        picture.marks.iter().find(|m| matches!(m, Mark::Image { .. }))
    else {
        panic!("no image")
    };
    assert_eq!((area.width, image), (160.0, &images[0]));
    let raster = picture.raster(1.0).unwrap();
    let (left, top) = (area.x as usize, area.y as usize);
    for y in 0..160 {
        let row = &raster.grey()[(top + y) * raster.width + left..][..160];
        assert_eq!(row, &image.pixels()[y * 160..][..160]);
    }
}

#[test]
fn the_answer_is_told_apart_without_color() {
    let scene = one_puzzle();
    let board = Board::of_puzzle(&scene);
    let with = puzzle(&board, &Notes { answer: Some(2), ..Notes::default() });
    let without = puzzle(&board, &Notes::default());
    let ticks = |p: &Picture| p.marks.iter().filter(|m| matches!(m, Mark::Line { .. })).count();
    assert_eq!((ticks(&with), ticks(&without)), (1, 0));
    assert!(with.description.ends_with("The answer is choice 3."));
    assert!(!without.description.contains("answer"));
}

#[test]
fn every_document_is_xml_and_refers_to_nothing_outside() {
    let scene = one_puzzle();
    let board = Board::of_puzzle(&scene);
    let image = GreyImage::new(2, 2, &[0, 80, 160, 255]).unwrap();
    let pictures = [
        puzzle(&board, &Notes::of_puzzle(&scene)),
        contact_sheet("All & <sundry>", &[(board, Notes::of_puzzle(&scene))], 4),
        strip(&["a".to_owned()], &[("row".to_owned(), vec![image_panel(&image)])]),
        heat_map(&HeatMap { rows: vec!["r".to_owned()], ..HeatMap::default() }),
    ];
    for picture in pictures {
        let svg = picture.svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        let child =
            |tag| root.children().find(|n| n.has_tag_name(("http://www.w3.org/2000/svg", tag)));
        assert!(child("title").is_some() && child("desc").is_some());
        for node in document.descendants() {
            for attribute in node.attributes().filter(|a| a.name() == "href") {
                assert!(attribute.value().starts_with("data:image/png;base64,"));
            }
        }
    }
}

/// Every text lies inside the picture, `margin` away from its sides.
fn texts_stay_inside(picture: &Picture, margin: f32) -> Result<(), TestCaseError> {
    for mark in &picture.marks {
        if let Mark::Text(text) = mark {
            let (left, right) = (text.left(), text.left() + text.width());
            prop_assert!(left >= margin - 0.1, "{} starts at {left}", text.content);
            prop_assert!(right <= picture.width - margin + 0.1, "{} ends at {right}", text.content);
            prop_assert!(text.y - text.size * 0.8 >= 0.0 && text.y <= picture.height);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_leaves_its_box(
        title in "\\PC{0,150}",
        label in "\\PC{0,40}",
        rules in prop::collection::vec(("\\PC{0,80}", "\\PC{0,80}"), 0..6),
        columns in 1usize..6,
    ) {
        let board = Board::of_puzzle(&one_puzzle());
        let lines = vec![RuleLine { label: label.clone(), rules }; 2];
        let notes = Notes { title: title.clone(), answer: Some(7), rules: lines };
        texts_stay_inside(&puzzle(&board, &notes), 20.0)?;
        texts_stay_inside(&contact_sheet(&title, &[(board, notes)], columns), 20.0)?;
        let panels = vec![Picture::new(PANEL, PANEL); 3];
        texts_stay_inside(&strip(&[label.clone(), title.clone()], &[(title.clone(), panels)]), 10.0)?;
        let map = HeatMap {
            title: title.clone(),
            rows: vec![title, label.clone()],
            columns: vec![label; columns],
            values: vec![vec![1e30, 0.5]],
            range: (0.0, 1e30),
            marked: vec![],
        };
        texts_stay_inside(&heat_map(&map), 10.0)?;
    }
}

#[test]
fn a_terminal_shows_every_choice_and_marks_the_answer() {
    let board = Board::of_puzzle(&one_puzzle());
    for columns in [0, 40, 80, 132] {
        let plain = terminal(&board, Some(4), columns, TerminalStyle::Plain);
        assert!(!plain.contains('\x1b'));
        assert!((1..=8).all(|n| plain.contains(&n.to_string())));
        assert_eq!(plain.matches("5 ✓").count(), 1);
        assert_eq!(plain.matches('┏').count(), 1);
        assert!(plain.lines().all(|line| line.chars().count() <= columns.max(43)), "{plain}");
        let grey = terminal(&board, None, columns, TerminalStyle::Grey);
        assert!(grey.contains("\x1b[38;5;") && !grey.contains('✓'));
        assert!(grey.lines().all(|l| !l.contains('\x1b') || l.contains("\x1b[0m")));
    }
}
