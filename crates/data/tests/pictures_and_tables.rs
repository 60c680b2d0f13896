//! Puzzles as pictures, tables and folders.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use genvp_data::panels::{self, NamedPicture};
use genvp_data::{Images, PngImage, Split, StoredPuzzle, folder, sheet};
use genvp_puzzle::family::Family;
use genvp_puzzle::make::{Maker, Request};
use genvp_puzzle::raven::Raven;
use genvp_puzzle::{Layout, Set, render};

fn stored(set: Set, layout: Layout, index: u64) -> StoredPuzzle {
    let puzzle = Maker::new(Request::new(set, layout)).unwrap().puzzle(5, index).unwrap();
    let images = Images::new(render::SIDE, render::puzzle(&puzzle));
    StoredPuzzle::of_puzzle(&puzzle, images)
}

/// A sheet of panels with a frame of `line` black pixels around each.
fn sheet_of(images: &Images, panels: &[Option<usize>], columns: usize, line: usize) -> PngImage {
    let side = images.side() + 2 * line;
    let (width, height) = (columns * side, panels.len() / columns * side);
    let mut pixels = vec![if line > 0 { 0 } else { 255 }; width * height];
    for (place, panel) in panels.iter().enumerate() {
        let (x, y) = (place % columns * side + line, place / columns * side + line);
        for row in 0..images.side() {
            let to = (y + row) * width + x;
            let to = &mut pixels[to..to + images.side()];
            match panel {
                Some(panel) => to.copy_from_slice(
                    &images.panel(*panel)[row * images.side()..(row + 1) * images.side()],
                ),
                None => to.fill(255),
            }
        }
    }
    PngImage::new(width, height, pixels)
}

#[test]
fn a_sheet_of_any_grid_gives_back_its_panels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.png");
    let all: Vec<Option<usize>> = (0..16).map(Some).collect();
    for layout in Layout::ALL {
        let images = stored(Set::IRaven, layout, 1).images;
        for columns in [4, 8, 16, 1, 2] {
            for line in [0, 1, 3] {
                fs::write(&path, sheet_of(&images, &all, columns, line).encode()).unwrap();
                let read = sheet::read(&path).unwrap();
                assert_eq!(read.images, images, "{layout}, {columns} columns, frame of {line}");
                assert_eq!(read.target, None);
            }
        }
    }
}

/// Draws a panel with a thin grey frame around it.
fn place(paper: &mut PngImage, images: &Images, panel: Option<usize>, (x, y): (usize, usize)) {
    let (width, height, side) = (paper.width(), paper.height(), images.side());
    let mut pixels = paper.pixels().to_vec();
    for row in 0..side + 2 {
        for column in 0..side + 2 {
            let is_frame = [row, column].iter().any(|at| *at == 0 || *at == side + 1);
            let inner = || images.panel(panel.unwrap_or(0))[(row - 1) * side + column - 1];
            let grey = if is_frame { 168 } else { panel.map_or(240, |_| inner()) };
            pixels[(y + row) * width + x + column] = grey;
        }
    }
    *paper = PngImage::new(width, height, pixels);
}

#[test]
fn panels_in_frames_are_found_wherever_they_stand() {
    for layout in Layout::ALL {
        let images = stored(Set::IRaven, layout, 4).images;
        let mut paper = PngImage::new(900, 1300, vec![255; 900 * 1300]);
        for cell in 0..9 {
            let at = (60 + cell % 3 * 190, 40 + cell / 3 * 190);
            place(&mut paper, &images, (cell < 8).then_some(cell), at);
        }
        for choice in 0..8 {
            let at = (35 + choice % 4 * 200, 700 + choice / 4 * 260);
            place(&mut paper, &images, Some(8 + choice), at);
        }
        let pictures = [NamedPicture { name: "scan.png".to_owned(), picture: paper }];
        assert_eq!(panels::family_of(&pictures).id(), "raven");
        let cut = panels::cut(&pictures, Raven.form()).unwrap();
        // A pixel beside each frame is left out.
        let inner = images.side() - 2;
        assert_eq!((cut.panels(), cut.side()), (16, inner), "{layout}");
        for panel in 0..16 {
            let rows = images.panel(panel).chunks(images.side()).skip(1).take(inner);
            let wanted: Vec<u8> = rows.flat_map(|row| &row[1..=inner]).copied().collect();
            assert_eq!(cut.panel(panel), wanted, "{layout}, panel {panel}");
        }
    }
}

#[test]
fn squares_that_are_drawn_in_panels_are_no_frames() {
    let all: Vec<Option<usize>> = (0..16).map(Some).collect();
    for index in 0..30 {
        for layout in [Layout::CenterSingle, Layout::OutInCenter] {
            let images = stored(Set::IRaven, layout, index).images;
            let picture = sheet_of(&images, &all, 4, 0);
            let pictures = [NamedPicture { name: "sheet.png".to_owned(), picture }];
            assert_eq!(panels::family_of(&pictures).id(), "raven");
            assert_eq!(panels::cut(&pictures, Raven.form()).unwrap(), images, "{layout} {index}");
        }
    }
}

#[test]
fn a_question_and_its_choices_may_come_apart() {
    let folder = tempfile::tempdir().unwrap();
    let images = stored(Set::Raven, Layout::LeftRight, 2).images;
    let question: Vec<Option<usize>> = (0..8).map(Some).chain([None]).collect();
    let choices: Vec<Option<usize>> = (8..16).map(Some).collect();
    let write = |name: &str, picture: PngImage| {
        let path = folder.path().join(name);
        fs::write(&path, picture.encode()).unwrap();
        path
    };
    let question = write("question.png", sheet_of(&images, &question, 3, 2));
    let choices = write("choices.png", sheet_of(&images, &choices, 4, 2));
    assert_eq!(sheet::read_pair(&question, &choices).unwrap().images, images);
    assert_eq!(sheet::read(folder.path()).unwrap().images, images);
}

#[test]
fn sixteen_pictures_in_a_folder_are_taken_by_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let images = stored(Set::Raven, Layout::UpDown, 3).images;
    for panel in 0..16 {
        let picture = PngImage::new(render::SIDE, render::SIDE, images.panel(panel).to_vec());
        fs::write(folder.path().join(format!("panel_{panel}.png")), picture.encode()).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), b"mine").unwrap();
    assert_eq!(sheet::read(folder.path()).unwrap().images, images);
    fs::remove_file(folder.path().join("panel_7.png")).unwrap();
    let message = sheet::read(folder.path()).unwrap_err().to_string();
    assert!(message.contains("15 pictures where 16 panels are wanted"), "{message}");
}

fn png_of(color: png::ColorType, depth: png::BitDepth, palette: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

#[test]
fn every_kind_of_png_becomes_grey_on_white() {
    use png::{BitDepth, ColorType};
    let grey = |color, depth, palette: &[u8], data: &[u8]| {
        PngImage::decode(&png_of(color, depth, palette, data)).unwrap().pixels().to_vec()
    };
    assert_eq!(grey(ColorType::Grayscale, BitDepth::Eight, &[], &[3, 200]), [3, 200]);
    assert_eq!(grey(ColorType::Grayscale, BitDepth::Sixteen, &[], &[9, 255, 255, 0]), [9, 255]);
    assert_eq!(grey(ColorType::Grayscale, BitDepth::One, &[], &[0b0100_0000]), [0, 255]);
    assert_eq!(grey(ColorType::GrayscaleAlpha, BitDepth::Eight, &[], &[0, 0, 0, 255]), [255, 0]);
    assert_eq!(grey(ColorType::Rgb, BitDepth::Eight, &[], &[255, 0, 0, 7, 7, 7]), [76, 7]);
    assert_eq!(grey(ColorType::Rgba, BitDepth::Eight, &[], &[0, 0, 0, 51, 0, 0, 0, 255]), [204, 0]);
    assert_eq!(grey(ColorType::Indexed, BitDepth::Eight, &[9, 9, 9, 80, 80, 80], &[1, 0]), [80, 9]);
}

#[test]
fn a_walk_is_in_order_and_tells_what_it_met() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("D").join(Layout::OutInGrid.folder());
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(root.path().join("D/empty")).unwrap();
    for name in
        ["RAVEN_10_train.npz", "RAVEN_2_train.npz", "RAVEN_2_train.xml", "PGM_x.npz", "a.txt"]
    {
        fs::write(folder.join(name), []).unwrap();
    }
    let mut walk = folder::walk(root.path()).unwrap();
    let found: Vec<_> = walk.by_ref().collect();
    let names: Vec<_> =
        found.iter().map(|f| f.npz.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["PGM_x.npz", "RAVEN_2_train.npz", "RAVEN_10_train.npz"]);
    assert_eq!(found[1].layout, Some(Layout::OutInGrid));
    assert_eq!((found[1].index, found[1].split), (Some(2), Some(Split::Train)));
    assert!(found[1].xml.is_some() && found[2].xml.is_none());
    let met = walk.summary();
    assert!(met.is_mixed());
    assert_eq!((met.puzzles(), met.raven, met.pgm, met.without_xml), (3, 2, 1, 2));
    assert_eq!(met.empty, [root.path().join("D/empty")]);

    let one: Vec<_> = folder::walk(&folder.join("RAVEN_2_train.npz")).unwrap().collect();
    assert_eq!(one, found[1..2]);
    assert!(folder::walk(Path::new("no/such/folder")).is_err());
}

#[cfg(feature = "parquet")]
#[test]
fn a_table_keeps_what_the_files_keep() {
    use genvp_data::{DataError, table};
    use genvp_puzzle::Domain;

    let folder = tempfile::tempdir().unwrap();
    for set in Set::ALL {
        let path = folder.path().join(set.key()).join("train.parquet");
        let mut writer = table::TableWriter::create(&path, false).unwrap();
        let mut puzzles = Vec::new();
        // More than one block of rows, and a puzzle of which only pictures are known.
        for index in 0..105 {
            let mut puzzle = stored(set, Layout::ALL[index as usize % 7], index);
            if index == 50 {
                puzzle = StoredPuzzle::of_images(puzzle.images);
            }
            writer.put(index * 3, &puzzle, set).unwrap();
            puzzle.predict = None;
            if let Some(scene) = &mut puzzle.scene
                && set != Set::IRaven
            {
                scene.changes = None;
            }
            puzzles.push((index * 3, puzzle));
        }
        assert!(!path.exists());
        writer.finish().unwrap();
        let rows = table::read(&path, Domain::Standard).unwrap();
        assert_eq!(rows.collect::<Result<Vec<_>, _>>().unwrap(), puzzles);
        assert!(matches!(
            table::TableWriter::create(&path, false).map(drop),
            Err(DataError::Exists { .. })
        ));
    }
    let junk = folder.path().join("junk.parquet");
    fs::write(&junk, b"PAR1 and nothing else PAR1").unwrap();
    let message = table::read(&junk, Domain::Standard).map(drop).unwrap_err().to_string();
    assert!(message.contains("not a parquet file of puzzles"), "{message}");
}
