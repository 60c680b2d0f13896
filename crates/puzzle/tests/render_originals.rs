//! Rendering equals the original programs, bit for bit.
//!
//! The committed goldens prove it on a plain clone; where the originals' files
//! are at hand (`GENVP_ORIGINALS`), every one of them is compared in full.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a broken golden should stop the test"
)]

mod originals;

use std::io::Read;

use genvp_puzzle::{Component, ComponentKind, Domain, Entity, Layout, Panel, render};
use md5::{Digest, Md5};
use originals::panel_of_text;

const SIDE: usize = render::SIDE;

/// The slot boxes of the goldens in the file's order: a layout to draw in, the
/// component, and the slot.
fn places() -> Vec<(Layout, usize, u8)> {
    let mut places = vec![(Layout::CenterSingle, 0, 0)];
    places.extend((0..4).map(|slot| (Layout::DistributeFour, 0, slot)));
    places.extend((0..9).map(|slot| (Layout::DistributeNine, 0, slot)));
    places.extend([(Layout::LeftRight, 0, 0), (Layout::LeftRight, 1, 0)]);
    places.extend([(Layout::UpDown, 0, 0), (Layout::UpDown, 1, 0)]);
    places.extend((0..4).map(|slot| (Layout::OutInGrid, 1, slot)));
    places
}

/// All (slot box, type, size, angle) in the order of the goldens.
fn combinations() -> impl Iterator<Item = (Layout, usize, Entity)> {
    places().into_iter().flat_map(|(layout, component, slot)| {
        (1..=5).flat_map(move |shape| {
            (0..6).flat_map(move |size| {
                (0..8).map(move |angle| {
                    (layout, component, Entity { slot, shape, size, color: 0, angle })
                })
            })
        })
    })
}

/// The ink image of one object alone.
fn entity_ink(layout: Layout, component: usize, entity: Entity) -> Vec<u8> {
    let mut panel = Panel::default();
    for _ in 0..component {
        panel.components.push(Component::default());
    }
    panel.components.push(Component { entities: [entity].into_iter().collect() });
    let mut grey = vec![0; SIDE * SIDE];
    render::panel_into(&panel, layout, Domain::Standard, &mut grey);
    // The goldens are of the object without the line between two components.
    for i in 0..SIDE {
        match layout {
            Layout::LeftRight => grey[i * SIDE + 80] = 255,
            Layout::UpDown => grey[80 * SIDE + i] = 255,
            _ => {}
        }
    }
    grey.iter().map(|g| 255 - g).collect()
}

fn kind(layout: Layout, component: usize) -> ComponentKind {
    layout.components()[component]
}

fn in_ten_thousandths(bbox: [f64; 4]) -> [i32; 4] {
    bbox.map(|v| (v * 1e4).round() as i32)
}

fn differ_by_at_most_one(a: [i32; 4], b: [i32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1)
}

/// The lines of the originals' list of md5s, where it is at hand.
fn originals_md5s() -> Option<String> {
    let file = std::fs::File::open(genvp_originals::folder()?.join("entity-md5.txt.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text)
}

#[test]
fn every_entity_mask_and_box_matches_the_originals() {
    let golden = include_bytes!("../../../fixtures/render/entities.bin");
    assert_eq!(golden.len(), 5_280 * 24);
    let full = originals_md5s();
    let mut lines = full.as_deref().map(str::lines);
    let (mut images, mut notes) = (0, 0);
    for ((layout, component, entity), golden) in combinations().zip(golden.chunks_exact(24)) {
        let mut all = Md5::new();
        for color in 0..10 {
            let md5 = Md5::digest(entity_ink(layout, component, Entity { color, ..entity }));
            all.update(md5);
            if let Some(line) = lines.as_mut().map(|lines| lines.next().unwrap()) {
                assert!(line.ends_with(&originals::hex(&md5)), "{layout} {entity:?}: {line}");
                images += 1;
            }
        }
        assert_eq!(all.finalize()[..8], golden[..8], "pixels of {layout} {entity:?}");

        let note = render::annotate(kind(layout, component), &entity, Domain::Standard);
        let ours = in_ten_thousandths(note.real_bbox);
        let mask = Md5::digest(&note.mask);
        assert_eq!(mask[..8], golden[8..16], "mask of {layout} {entity:?}");
        let theirs =
            [16, 18, 20, 22].map(|i| i32::from(u16::from_le_bytes([golden[i], golden[i + 1]])));
        assert!(differ_by_at_most_one(ours, theirs), "{layout} {entity:?}: {ours:?} {theirs:?}");
        if let Some(line) = lines.as_mut().map(|lines| lines.next().unwrap()) {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[6], originals::hex(&mask), "{line}");
            let theirs: [f64; 4] = serde_json::from_str(words[5]).unwrap();
            assert!(differ_by_at_most_one(ours, in_ten_thousandths(theirs)), "{line}: {ours:?}");
            notes += 1;
        }
    }
    if let Some(mut lines) = lines {
        assert_eq!((images, notes, lines.next()), (52_800, 5_280, None));
        println!("{images} entity images and {notes} annotations match in full");
    }
}

#[test]
fn panels_match_the_committed_hashes() {
    let golden = include_str!("../../../fixtures/render/panels.txt");
    let mut grey = vec![0; SIDE * SIDE];
    let mut seen = 0;
    for line in golden.lines() {
        let mut words = line.splitn(3, ' ');
        let layout = Layout::parse(words.next().unwrap()).unwrap();
        let md5 = words.next().unwrap();
        let panel = panel_of_text(words.next().unwrap());
        render::panel_into(&panel, layout, Domain::Standard, &mut grey);
        assert_eq!(originals::hex(&Md5::digest(&grey)), md5, "{line}");
        seen += 1;
    }
    assert_eq!(seen, 3 * 7 * 2 * 16);
}

#[test]
fn every_panel_of_the_originals_is_reproduced() {
    let Some(root) = genvp_originals::folder() else { return };
    let mut grey = vec![0; SIDE * SIDE];
    let mut panels = 0;
    for original in originals::with_pixels(&root) {
        for (i, (panel, pixels)) in
            original.puzzle.panels().zip(original.image.chunks_exact(SIDE * SIDE)).enumerate()
        {
            render::panel_into(panel, original.puzzle.layout, Domain::Standard, &mut grey);
            assert!(grey == pixels, "{} panel {i}", original.name);
            panels += 1;
        }
    }
    assert_eq!(panels, 630 * 16);
    println!("{panels} panels match");
}
