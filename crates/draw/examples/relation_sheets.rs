//! One PGM puzzle for every attribute (from top to bottom) and relation (from
//! left to right), and one VAD puzzle for every target domain and relation:
//! `cargo run -p genvp-draw --example relation_sheets -- FOLDER`.
//!
//! The right choice has a frame. An empty place means that the attribute cannot
//! follow the relation.

#![allow(clippy::print_stdout, reason = "a program that says what it wrote")]

use std::error::Error;
use std::path::{Path, PathBuf};

use genvp_puzzle::relations::render::Renderer;
use genvp_puzzle::relations::{Attribute, Panel, Relation, Split, Triple};
use genvp_puzzle::{pgm, vad};

const SIDE: usize = 96;
const GAP: usize = 6;
const CELL: usize = SIDE + GAP;
const SEED: u64 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map(PathBuf::from).ok_or("name a folder")?;
    std::fs::create_dir_all(&folder)?;
    let renderer = Renderer::new(SIDE);
    pgm_sheet(&renderer)?.write(&folder.join("pgm.png"))?;
    vad_sheet(&renderer)?.write(&folder.join("vad.png"))?;
    Ok(())
}

/// The matrix at the left, four rows of two choices at the right.
fn pgm_sheet(renderer: &Renderer) -> Result<Sheet, Box<dyn Error>> {
    let (width, height) = (5 * CELL + 5 * GAP, 4 * CELL + 2 * GAP);
    let mut sheet = Sheet::new(5 * width, 7 * height);
    for attribute in Attribute::ALL {
        for (column, relation) in Relation::ALL.into_iter().enumerate() {
            let Ok(triple) = Triple::new(attribute, relation) else { continue };
            let mut request = pgm::Request::new(pgm::Regime::Neutral, Split::Train);
            request.structure = vec![(triple, None)];
            let puzzle =
                pgm::Maker::new(request)?.puzzle(SEED, (5 * attribute.index() + column) as u64)?;
            let (x, y) = (column * width + GAP, attribute.index() * height + GAP);
            for (i, panel) in puzzle.context.iter().enumerate() {
                sheet.panel(renderer, panel, x + i % 3 * CELL, y + i / 3 * CELL, false);
            }
            for (i, panel) in puzzle.choices.iter().enumerate() {
                let right = i == usize::from(puzzle.target);
                let at = x + 3 * CELL + 2 * GAP + i % 2 * CELL;
                sheet.panel(renderer, panel, at, y + i / 2 * CELL, right);
            }
        }
    }
    Ok(sheet)
}

/// The source row, the target row, and the choices below.
fn vad_sheet(renderer: &Renderer) -> Result<Sheet, Box<dyn Error>> {
    let (width, height) = (4 * CELL + 5 * GAP, 3 * CELL + 5 * GAP);
    let mut sheet = Sheet::new(4 * width, 7 * height);
    for (row, target) in Attribute::ALL.into_iter().enumerate() {
        for (column, relation) in Relation::ALL.into_iter().enumerate().take(4) {
            let mut fitting =
                vad::Analogy::legal().filter(|a| a.target == target && a.relation == relation);
            let Some(analogy) = fitting.nth(row % 4).or_else(|| fitting.next()) else { continue };
            let (regime, kind) = (vad::Regime::DomainTransfer, vad::ChoiceKind::Lbc);
            let held_out = vad::held_out_pairs().contains(&[analogy.source, analogy.target]);
            let split = if held_out { Split::Test } else { Split::Train };
            let mut request = vad::Request::new(regime, split, kind);
            request.analogy = Some(analogy);
            let puzzle = vad::Maker::new(request)?.puzzle(SEED, (4 * row + column) as u64)?;
            let (x, y) = (column * width + GAP, row * height + GAP);
            for (i, panel) in puzzle.context.iter().enumerate() {
                sheet.panel(renderer, panel, x + i % 3 * CELL, y + i / 3 * CELL, false);
            }
            for (i, panel) in puzzle.choices.iter().enumerate() {
                let right = i == usize::from(puzzle.target);
                sheet.panel(renderer, panel, x + i * CELL, y + 2 * CELL + 2 * GAP, right);
            }
        }
    }
    Ok(sheet)
}

/// A grey picture.
struct Sheet {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Sheet {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![190; width * height] }
    }

    fn panel(&mut self, renderer: &Renderer, panel: &Panel, x: usize, y: usize, framed: bool) {
        let frame = if framed { 3 } else { 0 };
        for row in y - frame..y + SIDE + frame {
            let from = row * self.width + x - frame;
            self.pixels[from..from + SIDE + 2 * frame].fill(0);
        }
        let mut grey = vec![0; SIDE * SIDE];
        renderer.panel_into(panel, &mut grey);
        for (row, grey) in grey.chunks_exact(SIDE).enumerate() {
            let from = (y + row) * self.width + x;
            self.pixels[from..from + SIDE].copy_from_slice(grey);
        }
    }

    fn write(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        std::fs::write(path, genvp_draw::grey_png(self.width, self.height, &self.pixels))?;
        println!("{}", path.display());
        Ok(())
    }
}
