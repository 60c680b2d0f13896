//! Puzzles as tensors.

use burn::tensor::{Device, Int, Tensor, TensorData};

use crate::config::PuzzleConfig;
use crate::error::ModelError;
use crate::image::Resize;

/// What a batch of puzzles for a model must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchShape {
    /// The grid of panels, the candidates and the rule matrix.
    pub puzzle: PuzzleConfig,
    /// Side of a panel in pixels; `None` for models that look at no pixels.
    pub size: Option<usize>,
    /// How panels come to that size.
    pub resize: Resize,
    /// The widths of Z_o and Z_o-bar, for models that can be told both.
    pub codes: Option<[usize; 2]>,
    /// Numbers that tell the parameters of a puzzle's rules; 0 for models that are not told them.
    pub parameters: usize,
}

/// Puzzles as they come from a reader, on the host.
#[derive(Clone, Debug, Default)]
pub struct PuzzleData {
    /// All pixels, ink = 1 and paper = 0: puzzle by puzzle, context panels, then candidates.
    /// May be empty where values are known: those are enough to teach p(Z_o|Z_r).
    pub pixels: Vec<f32>,
    /// For every puzzle and candidate the rule of each attribute of the puzzle it
    /// completes: R for the right one, R⁻ for the others. Absent: images only.
    pub rules: Option<Vec<u8>>,
    /// Which of those are known. Absent: all.
    pub known: Option<Vec<bool>>,
    /// Every puzzle's layout, for the generative path. Absent: unknown.
    pub layouts: Option<Vec<u8>>,
    /// What is known about the attributes of every panel: the code of each block of Z_o
    /// (see [`ValueKind`](crate::ValueKind)), shares between 0 and 1. Absent: unknown.
    pub values: Option<Vec<f32>>,
    /// What is known about everything else in every panel: a draw of Z_o-bar that says
    /// it. Over all panels such draws are standard normal. Absent: unknown.
    pub irrelevant: Option<Vec<f32>>,
    /// The parameters of every puzzle's rules, component by component, as
    /// [`ValueKind::write_parameter`](crate::ValueKind::write_parameter) writes them.
    /// Absent: not told.
    pub parameters: Option<Vec<f32>>,
    /// For every choice whether it is one of those that agree most with the other choices,
    /// attribute by attribute, as a majority vote finds them `[b, C]`. Absent: unknown.
    pub voted: Option<Vec<bool>>,
}

/// Checked puzzles on a device.
///
/// For training, the right answer is **candidate 0** of every puzzle. A
/// candidate's predictions do not depend on its place, so nothing leaks.
#[derive(Clone, Debug)]
pub struct PuzzleBatch {
    pub(crate) images: Tensor<4>,
    pub(crate) rules: Option<RuleTargets>,
    pub(crate) layout: Option<Tensor<2>>,
    pub(crate) values: Option<Tensor<2>>,
    pub(crate) irrelevant: Option<Tensor<2>>,
    pub(crate) parameters: Option<Tensor<2>>,
    pub(crate) voted: Option<Vec<bool>>,
    puzzle: PuzzleConfig,
    puzzles: usize,
}

/// What the rules are, as far as known.
#[derive(Clone, Debug)]
pub struct RuleTargets {
    /// One-hot rule matrices `[b, C, K_R, N_R]`.
    pub one_hot: Tensor<4>,
    /// 1 where the rule is known, else 0 `[b, C, K_R]`.
    pub known: Option<Tensor<3>>,
}

impl PuzzleBatch {
    /// Checks puzzles and moves them to a device (an autodiff one for training).
    ///
    /// # Errors
    /// When the sizes do not fit the model, pixels are not finite, or labels are out of range.
    pub fn new(shape: &BatchShape, data: PuzzleData, device: &Device) -> Result<Self, ModelError> {
        let p = &shape.puzzle;
        let puzzles = shape.count(&data)?;
        if !all_finite(&data.pixels) {
            let bad = data.pixels.iter().filter(|x| !x.is_finite()).count();
            return Err(ModelError::NotFinite { what: "the batch of pixels", count: bad });
        }
        let size = shape.size.unwrap_or(1);
        let pictures = data.pixels.len() / (size * size);
        let images = TensorData::new(data.pixels, [pictures, size, size, 1]);
        if let Some(voted) = &data.voted {
            check_length("the vote among choices", voted.len(), &[puzzles, p.candidates])?;
        }
        let (codes, width) = (shape.codes, shape.parameters);
        let shape = [puzzles, p.candidates, p.attributes];
        let known = match data.known {
            Some(known) => {
                check_length("the mask of known rules", known.len(), &shape)?;
                let known = known.into_iter().map(|k| f32::from(u8::from(k))).collect::<Vec<_>>();
                Some(Tensor::from_data(TensorData::new(known, shape), device))
            }
            None => None,
        };
        let rules = match data.rules {
            Some(rules) => {
                let rules = labels("the batch of rules", &rules, shape, p.rules, device)?;
                Some(RuleTargets { one_hot: rules.one_hot::<4>(p.rules).float(), known })
            }
            None => None,
        };
        let layout = match data.layouts {
            Some(layouts) if p.layouts > 0 => {
                let layouts =
                    labels("the batch of layouts", &layouts, [puzzles], p.layouts, device)?;
                Some(layouts.one_hot::<2>(p.layouts).float())
            }
            _ => None,
        };
        let latents = |what, numbers: Option<Vec<f32>>, part: usize| match (numbers, codes) {
            (Some(numbers), Some(widths)) => {
                let shape = [puzzles * p.inputs(), widths[part]];
                check_length(what, numbers.len(), &shape)?;
                Ok(Some(Tensor::from_data(TensorData::new(numbers, shape), device)))
            }
            _ => Ok(None),
        };
        Ok(Self {
            images: Tensor::from_data(images, device),
            rules,
            layout,
            values: latents("the values of the panels", data.values, 0)?,
            irrelevant: latents("the draws of Z_o-bar", data.irrelevant, 1)?,
            parameters: match data.parameters.filter(|_| width > 0) {
                Some(numbers) => Some(parameters(numbers, puzzles, width, device)?),
                None => None,
            },
            voted: data.voted,
            puzzle: *p,
            puzzles,
        })
    }

    /// The images alone.
    pub(crate) fn without_labels(&self) -> Self {
        Self {
            rules: None,
            layout: None,
            values: None,
            irrelevant: None,
            parameters: None,
            ..self.clone()
        }
    }

    /// The panels of the right puzzle: the context, and candidate 0 behind it.
    ///
    /// # Shapes
    /// `[b · P, k] -> [b, MN, k]`
    pub(crate) fn right(&self, panels: Tensor<2>) -> Tensor<3> {
        let width = panels.dims()[1];
        let all = panels.reshape([self.puzzles, self.puzzle.inputs(), width]);
        all.narrow(1, 0, self.puzzle.panels())
    }

    /// The images of the right puzzle.
    ///
    /// # Shapes
    /// `[b · MN, h, w, 1]`
    pub(crate) fn right_images(&self) -> Tensor<4> {
        let [n, h, w, c] = self.images.dims();
        let right = self.right(self.images().reshape([n, h * w * c]));
        right.reshape([self.puzzles * self.puzzle.panels(), h, w, c])
    }

    /// How many puzzles there are.
    pub fn len(&self) -> usize {
        self.puzzles
    }

    /// Never: a batch without puzzles is refused.
    pub fn is_empty(&self) -> bool {
        self.puzzles == 0
    }

    /// The rules, where there are labels.
    pub fn rules(&self) -> Option<&RuleTargets> {
        self.rules.as_ref()
    }

    /// The layouts, one-hot `[b, L]`, where they are known and the model wants them.
    pub fn layout(&self) -> Option<Tensor<2>> {
        self.layout.clone()
    }

    /// The layouts, all zeros where they are not known.
    ///
    /// # Shapes
    /// `[b, L]`
    pub(crate) fn layout_or_none(&self, layouts: usize) -> Tensor<2> {
        let none = || Tensor::zeros([self.puzzles, layouts], &self.images.device());
        self.layout.clone().unwrap_or_else(none)
    }

    /// Whether there is anything to look at.
    pub fn has_pixels(&self) -> bool {
        self.images.dims()[0] > 0
    }

    /// All panels `[b · P, h, w, 1]`; none where the puzzles came without pixels.
    pub fn images(&self) -> Tensor<4> {
        self.images.clone()
    }
}

impl BatchShape {
    /// Puzzles whose panels are looked at, and of which nothing is told but rules and layouts.
    pub fn of_pixels(puzzle: PuzzleConfig, size: usize) -> Self {
        let resize = Resize::default();
        Self { puzzle, size: Some(size), resize, codes: None, parameters: 0 }
    }

    /// How many puzzles there are in what a reader gives.
    fn count(&self, data: &PuzzleData) -> Result<usize, ModelError> {
        let p = &self.puzzle;
        let Some(size) = self.size else {
            let puzzles = data.voted.as_ref().map_or(0, |voted| voted.len() / p.candidates);
            if puzzles == 0 || !data.pixels.is_empty() {
                return Err(ModelError::Shape {
                    what: "the batch",
                    found: vec![puzzles, data.pixels.len()],
                    wanted: "puzzles whose choices were voted on, without pixels".into(),
                });
            }
            return Ok(puzzles);
        };
        let per_puzzle = p.inputs() * size * size;
        let symbols = data.values.as_ref().filter(|_| data.pixels.is_empty());
        let puzzles = match (symbols, self.codes) {
            (Some(values), Some([relevant, _])) => values.len() / (p.inputs() * relevant),
            _ => data.pixels.len() / per_puzzle,
        };
        if puzzles == 0 || !data.pixels.len().is_multiple_of(per_puzzle) {
            return Err(ModelError::Shape {
                what: "the batch of pixels",
                found: vec![data.pixels.len()],
                wanted: format!("a multiple of {} panels of {size}x{size}", p.inputs()),
            });
        }
        Ok(puzzles)
    }
}

/// Whether all numbers are finite: as whole numbers, the largest of them is below infinity's bits.
fn all_finite(numbers: &[f32]) -> bool {
    let magnitude = |x: &f32| (x.to_bits() & 0x7fff_ffff) as i32;
    numbers.iter().map(magnitude).fold(0, i32::max) < f32::INFINITY.to_bits() as i32
}

/// Checked whole numbers below `limit`.
///
/// # Shapes
/// `shape`
pub(crate) fn labels<const D: usize>(
    what: &'static str,
    values: &[u8],
    shape: [usize; D],
    limit: usize,
    device: &Device,
) -> Result<Tensor<D, Int>, ModelError> {
    check_length(what, values.len(), &shape)?;
    if let Some(&found) = values.iter().find(|&&v| usize::from(v) >= limit) {
        return Err(ModelError::OutOfRange { what, found: i64::from(found), limit });
    }
    let values = values.iter().map(|&v| i64::from(v)).collect::<Vec<_>>();
    Ok(Tensor::from_data(TensorData::new(values, shape), device))
}

/// The parameters of the rules of puzzles, `width` numbers each.
///
/// # Shapes
/// `[b, width]`
pub(crate) fn parameters(
    numbers: Vec<f32>,
    puzzles: usize,
    width: usize,
    device: &Device,
) -> Result<Tensor<2>, ModelError> {
    let shape = [puzzles, width];
    check_length("the parameters of rules", numbers.len(), &shape)?;
    Ok(Tensor::from_data(TensorData::new(numbers, shape), device))
}

fn check_length(what: &'static str, found: usize, shape: &[usize]) -> Result<(), ModelError> {
    if found == shape.iter().product::<usize>() {
        return Ok(());
    }
    Err(ModelError::Shape { what, found: vec![found], wanted: format!("{shape:?}") })
}
