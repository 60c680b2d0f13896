//! From pixels back to scenes.
//!
//! The reader explains a picture by what the renderer would have drawn: for
//! every slot of every layout it looks for the object that lowers the squared
//! error most, takes the layout that leaves the least, and then draws the scene
//! and settles what is still unclear. It never refuses: the worst picture still
//! gets its nearest scene, with a confidence near 0.
//!
//! # What can be told apart
//!
//! At 160 px everything, byte for byte: all 10,080 panels of the originals'
//! 630 puzzles are read exactly, but for squares of size levels 2 and 3 in the
//! inner grid of O-IG, which are one and the same picture and are reported so
//! ([`Sighting::ambiguous_size`]). Angles are told apart up to symmetry. Under
//! size-e an outer object may lie hidden behind an inner one; then the nearest
//! scene is given, and a lone panel may pass for C-S.
//!
//! At 64 px sharp pictures keep all of it too, also when rounded to bytes, and
//! so do pictures that are soft by a Gaussian of up to 1.5 px (300 random
//! panels per layout, each read alone, no mistake). Noise hides the color of
//! small objects first: an inner-grid object is 2 to 4 px in radius, and its
//! inside is a handful of pixels. Percent right over all objects:
//!
//! | noise (standard deviation of ink) | layout, slots | type | size | color | panels without a mistake | mean confidence |
//! |---|---|---|---|---|---|---|
//! | 0.05: c-s, 2x2, 3x3, l-r, u-d, o-ic | 100 | 100 | 100 | 100 | 100 | 0.95 |
//! | 0.05: o-ig | 100 | 100 | 100 | 99.5 | 98.3 | 0.93 |
//! | 0.1: c-s, 2x2, l-r, u-d, o-ic | 100 | 100 | 100 | 100 | 100 | 0.83 |
//! | 0.1: 3x3 | 100 | 100 | 100 | 99.4 | 97.0 | 0.81 |
//! | 0.1: o-ig | 100 | 100 | 100 | 94.1 | 80.7 | 0.69 |
//! | 0.2: c-s | 100 | 100 | 100 | 100 | 100 | 0.61 |
//! | 0.2: 2x2, l-r, u-d | 100 | 100 | 100 | 98.6 | 97.0 | 0.58 |
//! | 0.2: o-ic | 100 | 100 | 100 | 96.2 | 92.3 | 0.52 |
//! | 0.2: 3x3 | 100 | 100 | 100 | 93.8 | 73.7 | 0.50 |
//! | 0.2: o-ig | 100 | 99.2 | 99.6 | 76.4 | 37.3 | 0.37 |
//! | 0.1 and soft by 1 px: 3x3 | 100 | 99.9 | 99.9 | 98.6 | 92.7 | 0.37 |
//! | 0.1 and soft by 1 px: o-ig | 100 | 89.8 | 91.7 | 85.5 | 43.0 | 0.09 |
//!
//! Pictures averaged to 48, 80, 96 or 224 px, and those of RAISE's resize, keep
//! layout, slots, type and size (no mistake in 712 objects each); the color is
//! right for 99.4 % or more, and for 98.0 % after RAISE's resize.
//!
//! Contrast is taken at face value: a picture whose ink is all fainter by a
//! fifth keeps its shapes and sizes, and is read with lighter colors.

mod bank;
mod blur;
mod confidence;
mod fit;
mod refine;
mod view;

use bank::GRID;
use blur::BLURS;
pub(in crate::raven) use blur::blur;
use fit::Fit;
use refine::{Target, is_exact, refine};
use view::View;

use crate::raven::render::{self, SIDE};
use crate::raven::{Domain, Entity, Layout, Panel};

/// A scene read from one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Where objects may stand.
    pub layout: Layout,
    /// The scene, objects in slot order. Of angles that look the same the first
    /// level is given, and of sizes that look the same the smallest.
    pub panel: Panel,
    /// From 0 (nothing like a panel) to 1 (drawn exactly so, or as good as).
    pub confidence: f32,
    /// Mean squared error that the scene leaves, in ink at 64x64.
    pub residual: f32,
    /// Whether the picture is the rendered scene, byte for byte.
    pub exact: bool,
    /// Every object again, with what is known about it.
    pub sightings: Vec<Sighting>,
}

/// How sure one object is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// Component, 0 or 1.
    pub component: u8,
    /// The object as it stands in [`Reading::panel`].
    pub entity: Entity,
    /// From 0 to 1: how well it matches and how clearly it beats the next best
    /// object of another type, size or color.
    pub confidence: f32,
    /// All size levels that give these very pixels, as a bit mask. In the inner
    /// grid of O-IG, squares of levels 2 and 3 are one and the same picture.
    pub possible_sizes: u16,
    /// Whether the border hides the whole inside, so that no color can be seen
    /// (only in the smallest sizes of size-e).
    pub ambiguous_color: bool,
}

impl Sighting {
    /// Whether another size level gives the very same pixels.
    pub fn ambiguous_size(&self) -> bool {
        self.possible_sizes.count_ones() > 1
    }
}

/// A whole puzzle, read with one layout for all panels.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleReading {
    /// The layout that explains all panels together best.
    pub layout: Layout,
    /// One reading per picture, in order, all of that layout.
    pub panels: Vec<Reading>,
    /// The lowest confidence of a panel, and no more than that of the layout.
    pub confidence: f32,
}

/// Reads a picture of `side * side` grey bytes, 255 = paper.
///
/// Pictures of 160x160 are compared pixel by pixel with what the renderer
/// draws; all other sizes are averaged (or stretched) to 64x64 and read there.
/// A slice of another length than `side * side` is read as a blank panel.
pub fn panel(grey: &[u8], side: usize, domain: Domain) -> Reading {
    PanelInk::of_grey(grey, side, domain).read_alone()
}

/// Reads a picture of `side * side` values, ink = 1 and paper = 0, such as a
/// model draws. Values that are not numbers count as paper.
pub fn ink(ink: &[f32], side: usize, domain: Domain) -> Reading {
    PanelInk::of_ink(ink, side, domain).read_alone()
}

/// Reads the pictures of one puzzle, which share a layout.
pub fn puzzle(panels: &[&[u8]], side: usize, domain: Domain) -> PuzzleReading {
    read_together(panels.iter().map(|grey| PanelInk::of_grey(grey, side, domain)).collect())
}

/// Reads the pictures of one puzzle given as ink, as [`ink()`] does.
pub fn puzzle_ink(panels: &[&[f32]], side: usize, domain: Domain) -> PuzzleReading {
    read_together(panels.iter().map(|ink| PanelInk::of_ink(ink, side, domain)).collect())
}

/// A picture at the search size, and the exact panel where there is one.
struct PanelInk<'a> {
    ink: Vec<f32>,
    grey: Option<&'a [u8]>,
    domain: Domain,
}

impl<'a> PanelInk<'a> {
    fn of_grey(grey: &'a [u8], side: usize, domain: Domain) -> Self {
        let mut ink = vec![0.0; GRID * GRID];
        let whole = side > 0 && side.checked_mul(side) == Some(grey.len());
        if whole {
            render::resize_area(grey, side, GRID, &mut ink);
        }
        Self { ink, grey: (whole && side == SIDE).then_some(grey), domain }
    }

    fn of_ink(values: &[f32], side: usize, domain: Domain) -> Self {
        // Not cut to 0..1, which would shift the mean of a noisy grey.
        let clean = |v: &f32| if v.is_finite() { v.clamp(-1.0, 2.0) } else { 0.0 };
        let values: Vec<f32> = values.iter().map(clean).collect();
        let mut ink = vec![0.0; GRID * GRID];
        if side > 0 && side.checked_mul(side) == Some(values.len()) {
            render::resize_ink(&values, side, GRID, &mut ink);
        }
        Self { ink, grey: None, domain }
    }

    fn view(&self) -> View<'_> {
        View::new(&self.ink, self.domain)
    }

    fn is_exact(&self, fit: &Fit) -> bool {
        self.grey.is_some_and(|grey| is_exact(grey, fit, self.domain))
    }

    /// The fits of all layouts, in their order.
    fn fits(&self, blur: usize) -> Vec<Fit> {
        let view = self.view();
        Layout::ALL.into_iter().map(|layout| view.fit(layout, blur)).collect()
    }

    fn read_alone(&self) -> Reading {
        let sharp = self.fits(0);
        let best = least(&sharp, Fit::cost);
        if self.is_exact(&sharp[best]) {
            return self.finish(sharp[best].clone(), 1.0);
        }
        let fits = self.softest(sharp);
        let refined: Vec<Fit> = promising(&fits, Fit::cost)
            .map(|fit| {
                let mut fit = fit.clone();
                self.refine(&mut fit);
                fit
            })
            .collect();
        let best = least(&refined, Fit::cost);
        let errors: Vec<f32> = refined.iter().map(Fit::cost).collect();
        let sure = confidence::of_layout(&errors, best, 1);
        self.finish(refined[best].clone(), sure)
    }

    /// The fits of the softness that explains the picture best, given the sharp
    /// ones.
    fn softest(&self, sharp: Vec<Fit>) -> Vec<Fit> {
        let left = |fits: &[Fit]| fits.iter().map(|fit| fit.residual).fold(f32::INFINITY, f32::min);
        // A sharp picture leaves next to nothing: no need to look further.
        if left(&sharp) <= 0.002 * self.view().energy {
            return sharp;
        }
        let mut best = sharp;
        for blur in 1..BLURS.len() {
            let softer = self.fits(blur);
            if left(&softer) >= left(&best) {
                break;
            }
            best = softer;
        }
        best
    }

    /// Settles the unclear slots of a fit by drawing its scene.
    fn refine(&self, fit: &mut Fit) {
        let view = self.view();
        let target = match self.grey {
            Some(grey) if fit.sigma == 0.0 => Target::Grey(grey, self.domain),
            _ => Target::Ink(&view),
        };
        refine(fit, &view, &target);
    }

    fn finish(&self, fit: Fit, layout_confidence: f32) -> Reading {
        let exact = self.is_exact(&fit);
        confidence::reading(&self.view(), &fit, exact, layout_confidence)
    }
}

fn read_together(pictures: Vec<PanelInk>) -> PuzzleReading {
    if let Some(reading) = read_exactly(&pictures) {
        return reading;
    }
    // One softness per picture: a puzzle may mix given and drawn panels.
    let fits: Vec<Vec<Fit>> =
        pictures.iter().map(|picture| picture.softest(picture.fits(0))).collect();
    let layouts: Vec<usize> = (0..Layout::ALL.len()).collect();
    let total = |&layout: &usize| fits.iter().map(|fits| fits[layout].cost()).sum::<f32>();
    let refined: Vec<(usize, Vec<Fit>)> = promising(&layouts, total)
        .map(|&layout| {
            let of_layout = pictures.iter().zip(&fits).map(|(picture, fits)| {
                let mut fit = fits[layout].clone();
                picture.refine(&mut fit);
                fit
            });
            (layout, of_layout.collect())
        })
        .collect();
    let error = |(_, fits): &(usize, Vec<Fit>)| fits.iter().map(Fit::cost).sum::<f32>();
    let errors: Vec<f32> = refined.iter().map(error).collect();
    let best = least(&refined, error);
    let sure = confidence::of_layout(&errors, best, pictures.len());
    let (layout, fits) = &refined[best];
    let panels: Vec<Reading> =
        pictures.iter().zip(fits).map(|(picture, fit)| picture.finish(fit.clone(), sure)).collect();
    let confidence = panels.iter().map(|reading| reading.confidence).fold(sure, f32::min);
    PuzzleReading { layout: Layout::ALL[*layout], panels, confidence }
}

/// The quick way for rendered panels: the layout of the first one explains all
/// the others byte for byte.
fn read_exactly(pictures: &[PanelInk]) -> Option<PuzzleReading> {
    let first = pictures.first()?;
    first.grey?;
    let fits = first.fits(0);
    let layout = fits[least(&fits, Fit::cost)].layout;
    let mut panels = Vec::with_capacity(pictures.len());
    for picture in pictures {
        let mut fit = picture.view().fit(layout, 0);
        if !picture.is_exact(&fit) {
            picture.refine(&mut fit);
        }
        let reading = picture.finish(fit, 1.0);
        if !reading.exact {
            return None;
        }
        panels.push(reading);
    }
    Some(PuzzleReading { layout, panels, confidence: 1.0 })
}

/// The items whose error is not hopeless beside the smallest.
fn promising<T>(items: &[T], error: impl Fn(&T) -> f32) -> impl Iterator<Item = &T> {
    let least = items.iter().map(&error).fold(f32::INFINITY, f32::min);
    items.iter().filter(move |item| error(item) <= 1.5 * least + 1.0)
}

/// The place of the item with the smallest error.
fn least<T>(items: &[T], error: impl Fn(&T) -> f32) -> usize {
    (0..items.len())
        .min_by(|&a, &b| error(&items[a]).total_cmp(&error(&items[b])))
        .unwrap_or_default()
}
