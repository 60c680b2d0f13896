//! Pixels never change, and different scenes look different.

use std::collections::HashMap;

use genvp_puzzle::relations::render::{self, Renderer, SIDE};
use genvp_puzzle::relations::{BLACK, Line, LineType, Panel, Shape, ShapeType, Split};
use genvp_puzzle::{pgm, vad};

/// FNV-1a, written out so that no library can change it.
fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn pixels_are_the_same_on_every_machine_and_in_every_release() {
    let pgm = pgm::Maker::new(pgm::Request::new(pgm::Regime::Neutral, Split::Train)).unwrap();
    let request =
        vad::Request::new(vad::Regime::DomainTransfer, Split::Train, vad::ChoiceKind::Lbc);
    let vad = vad::Maker::new(request).unwrap();
    let mut panels = Vec::new();
    for index in 0..20 {
        panels.extend(pgm.puzzle(1, index).unwrap().panels().cloned());
        panels.extend(vad.puzzle(1, index).unwrap().panels().cloned());
    }
    let drawn = fnv(render::panels(&panels));
    let ink = fnv(panels.iter().flat_map(|panel| {
        let mut ink = vec![0f32; 64 * 64];
        render::ink_into(panel, 64, &mut ink);
        ink.into_iter().flat_map(|v| v.to_bits().to_le_bytes())
    }));
    let other_side = Renderer::new(97);
    let direct = fnv(panels.iter().flat_map(|panel| {
        let mut grey = vec![0; 97 * 97];
        other_side.panel_into(panel, &mut grey);
        grey
    }));
    assert_eq!([drawn, ink, direct].map(|hash| format!("{hash:016x}")), PIXELS);
}

const PIXELS: [&str; 3] = ["cd9823bd99efdc80", "49f2fd94d917fb04", "faa2dea4b29102b2"];

fn one_shape(kind: ShapeType, size: u8, color: u8) -> Panel {
    let mut panel = Panel::default();
    panel.shapes.push(Shape { position: 4, kind, size, color });
    panel
}

#[test]
fn no_two_shapes_look_alike_at_160_and_at_64_pixels() {
    for side in [SIDE, 64] {
        let mut seen: HashMap<Vec<u32>, Shape> = HashMap::new();
        for kind in ShapeType::ALL {
            for size in 0..10 {
                for color in 0..10 {
                    let panel = one_shape(kind, size, color);
                    let mut ink = vec![0f32; side * side];
                    render::ink_into(&panel, side, &mut ink);
                    let pixels = ink.iter().map(|&v| (v * 255.0).round() as u32).collect();
                    if let Some(other) = seen.insert(pixels, panel.shapes[0]) {
                        panic!("{other:?} and {:?} at {side} pixels", panel.shapes[0]);
                    }
                }
            }
        }
    }
}

/// Where the measured proportions of real panels say that there is ink.
#[test]
fn lines_and_shapes_have_the_measured_proportions() {
    let draw = |panel: &Panel| render::panels([panel]);
    let line = |kind| {
        let mut panel = Panel::default();
        panel.lines.push(Line { kind, color: BLACK });
        draw(&panel)
    };
    let at = |pixels: &[u8], x: usize, y: usize| pixels[y * SIDE + x];
    let ink = |kind, places: &[(usize, usize)]| {
        let pixels = line(kind);
        places.iter().all(|&(x, y)| at(&pixels, x, y) == 0)
    };
    assert!(ink(LineType::DiagonalDown, &[(0, 0), (50, 50), (159, 159)]));
    assert!(ink(LineType::DiagonalUp, &[(0, 159), (50, 109), (159, 0)]));
    assert!(ink(LineType::Vertical, &[(80, 0), (79, 80), (80, 159)]));
    assert!(ink(LineType::Horizontal, &[(0, 80), (80, 79), (159, 80)]));
    assert!(ink(LineType::Diamond, &[(0, 80), (80, 0), (159, 80), (80, 159), (40, 40)]));
    // Radius a fifth of the side, around the centre.
    assert!(ink(LineType::Circle, &[(80, 48), (80, 111), (48, 80), (111, 80)]));
    // Three pixels wide: two whole ones and two halves across.
    let row: Vec<u8> = line(LineType::Vertical)[..SIDE].to_vec();
    assert_eq!(row[77..83], [255, 128, 0, 0, 128, 255]);
    // A shape of middle size spans 0.15 to 0.18 of the side, its outline is black
    // and its inside grey.
    let mut spans = Vec::new();
    for size in [4, 5, 6] {
        let pixels = draw(&one_shape(ShapeType::Circle, size, 5));
        let row = &pixels[80 * SIDE..81 * SIDE];
        spans.push(row.iter().filter(|&&p| p < 200).count() as f64 / SIDE as f64);
        assert_eq!(at(&pixels, 80, 80), 139);
    }
    assert!(spans.iter().all(|span| (0.13..0.19).contains(span)), "{spans:?}");
    // Shapes lie above lines.
    let mut panel = one_shape(ShapeType::Square, 5, 9);
    panel.lines.push(Line { kind: LineType::Vertical, color: BLACK });
    assert_eq!(at(&draw(&panel), 80, 80), 232);
}
