//! Between scenes and pixels, both ways.

use genvp_puzzle::family::Family;
use genvp_puzzle::raven::Domain;
use genvp_puzzle::relations::read::{Reader, confidence};
use genvp_puzzle::relations::{SIDES, Vocabulary};
use genvp_puzzle::{SIDE, read, resize_area};
use numpy::PyReadonlyArray4;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{Panels, array};
use crate::scene::Scene;
use crate::{error, family, picture, threads};

/// Draws scenes, a JSON list, as panels `[n, size, size]`, uint8.
#[pyfunction]
pub fn render<'py>(py: Python<'py>, scenes: &str, size: usize) -> PyResult<Bound<'py, PyAny>> {
    picture::check_size(size)?;
    let wrong = |error: serde_json::Error| error::spec(format!("this is no scene: {error}"));
    let scenes: Vec<Scene> = serde_json::from_str(scenes).map_err(wrong)?;
    let mut pixels = vec![0u8; scenes.len() * size * size];
    let draw = |(scene, out): (&Scene, &mut [u8])| {
        if size == SIDE {
            return scene.draw_into(out);
        }
        let (mut whole, mut ink) = (vec![0; SIDE * SIDE], vec![0.0; size * size]);
        scene.draw_into(&mut whole)?;
        resize_area(&whole, SIDE, size, &mut ink);
        for (grey, ink) in out.iter_mut().zip(&ink) {
            *grey = (255.0 * (1.0 - ink.clamp(0.0, 1.0))).round() as u8;
        }
        Ok(())
    };
    let drawn = threads::work(py, || {
        scenes.par_iter().zip(pixels.par_chunks_mut(size * size)).try_for_each(draw)
    })?;
    drawn.map_err(error::spec)?;
    array(py, pixels, [scenes.len(), size, size])
}

/// What was read from the panels of one puzzle: scenes as a JSON list, how sure each is, and
/// the layout, in families that have layouts.
type Read = (String, Vec<f32>, Option<&'static str>);

/// Reads the panels of each puzzle together.
#[pyfunction]
pub fn read_panels(
    py: Python<'_>,
    panels: PyReadonlyArray4<'_, u8>,
    family: &str,
    ood: Option<&str>,
) -> PyResult<Vec<Read>> {
    let panels = Panels::of(panels)?;
    let family = family::by_id(family)?;
    let domain = ood.map(|name| family::domain(family, name)).transpose()?;
    let domain = domain.and_then(Domain::parse).unwrap_or(Domain::Standard);
    let (side, size) = (panels.side, panels.side * panels.side);
    let reader = relation_reader(family, side)?;
    let puzzles: Vec<&[u8]> = panels.puzzles()?.collect();
    let read = |puzzle: &&[u8]| {
        let views: Vec<&[u8]> = puzzle.chunks_exact(size).collect();
        match &reader {
            Some((reader, vocabulary)) => read_relations(&views, reader, *vocabulary),
            None => read_raven(&views, side, domain),
        }
    };
    let mut all = Vec::with_capacity(puzzles.len());
    for block in puzzles.chunks(threads::block(4)) {
        all.extend(threads::work(py, || block.par_iter().map(read).collect::<Vec<Read>>())?);
        py.check_signals()?;
    }
    Ok(all)
}

/// The reader of PGM's and VAD's panels; `None` for RAVEN's.
fn relation_reader(family: &dyn Family, side: usize) -> PyResult<Option<(Reader, Vocabulary)>> {
    let vocabulary = match family.id() {
        "pgm" => Vocabulary::Pgm,
        "vad" => Vocabulary::Vad,
        _ => return Ok(None),
    };
    if !SIDES.contains(&side) {
        let (least, most, id) = (SIDES.start(), SIDES.end(), family.id());
        let what = format!("panels of {side} pixels: {id} is read at sides of {least} to {most}");
        return Err(error::array(what));
    }
    Ok(Some((Reader::new(side, vocabulary), vocabulary)))
}

fn read_raven(panels: &[&[u8]], side: usize, domain: Domain) -> Read {
    let reading = match panels {
        [panel] => {
            let reading = read::panel(panel, side, domain);
            let (layout, confidence) = (reading.layout, reading.confidence);
            read::PuzzleReading { layout, panels: vec![reading], confidence }
        }
        _ => read::puzzle(panels, side, domain),
    };
    let scene = |own: &read::Reading| Scene::of_raven(&own.panel, reading.layout, domain);
    let scenes: Vec<Scene> = reading.panels.iter().map(scene).collect();
    let sure = reading.panels.iter().map(|own| own.confidence).collect();
    (json(&scenes), sure, Some(reading.layout.folder()))
}

fn read_relations(panels: &[&[u8]], reader: &Reader, vocabulary: Vocabulary) -> Read {
    let readings: Vec<_> = panels.iter().map(|panel| reader.panel(panel)).collect();
    let scene = |own: &genvp_puzzle::relations::read::PanelReading| {
        Scene::of_relations(&own.panel, vocabulary)
    };
    let scenes: Vec<Scene> = readings.iter().map(scene).collect();
    let sure = readings.iter().map(|own| confidence(std::slice::from_ref(own))).collect();
    (json(&scenes), sure, None)
}

fn json(scenes: &[Scene]) -> String {
    serde_json::to_string(scenes).expect("numbers and names always make JSON")
}
