//! The values that codes fall into.

use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, TensorData};

use super::labels::Shape;
use crate::error::{ModelError, to_host};

/// Numbers that say how objects of a first-attribute value are turned: see [`Entries::turns`].
const TURN: usize = 2;

/// For each attribute group but the first the code of every value; and by which harmonic objects
/// of each value of the first of them are seen to turn. Found by clustering, not by gradients.
#[derive(Module, Debug)]
pub struct Codebook {
    /// For each group the codes of its values, first those of the first size of windows
    /// `[sizes · values, code]`.
    pub values: Vec<Param<Tensor<2>>>,
    /// For each group what codes are multiplied by before they are compared `[code, code]`.
    pub metrics: Vec<Param<Tensor<2>>>,
    /// `[values of the first group, 2]`
    pub turns: Param<Tensor<2>>,
}

/// A codebook on the host.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entries {
    /// The values of each group.
    pub groups: Vec<Values>,
    /// For each value of the first group the harmonic in which its objects are strongest, and that
    /// harmonic's phase for an object that is not turned.
    pub turns: Vec<[f32; TURN]>,
}

/// The values of a group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    /// The code of each in windows of each size.
    pub codes: Vec<Vec<Vec<f32>>>,
    /// What codes are multiplied by before they are compared.
    pub metric: Vec<Vec<f32>>,
    /// The codes of the values, multiplied.
    seen: Vec<Vec<Vec<f32>>>,
}

impl Values {
    /// Values of these codes, compared in this metric.
    pub fn new(codes: Vec<Vec<Vec<f32>>>, metric: Vec<Vec<f32>>) -> Self {
        let seen = |own: &Vec<Vec<f32>>| own.iter().map(|code| multiplied(&metric, code)).collect();
        Self { seen: codes.iter().map(seen).collect(), codes, metric }
    }

    /// The value whose code is nearest, in a window of this size.
    pub fn nearest(&self, size: usize, code: &[f32]) -> usize {
        nearest(&self.seen[size], &multiplied(&self.metric, code)).0
    }
}

/// A matrix times a column.
pub(super) fn multiplied(matrix: &[Vec<f32>], column: &[f32]) -> Vec<f32> {
    let row = |row: &Vec<f32>| row.iter().zip(column).map(|(a, b)| a * b).sum();
    matrix.iter().map(row).collect()
}

fn fixed(numbers: Vec<f32>, shape: [usize; 2], device: &Device) -> Param<Tensor<2>> {
    let tensor = Tensor::from_data(TensorData::new(numbers, shape), device);
    Param::from_tensor(tensor).set_require_grad(false)
}

impl Codebook {
    /// A codebook of zeros.
    pub(super) fn empty(shape: &Shape, device: &Device) -> Self {
        let zeros =
            |[rows, columns]: [usize; 2]| fixed(vec![0.0; rows * columns], [rows, columns], device);
        let width = |group: usize| shape.widths[group] - 1;
        let groups = 1..shape.kinds.len();
        let kinds = shape.kinds[1].count();
        Self {
            values: groups
                .clone()
                .map(|g| zeros([shape.sizes * shape.kinds[g].count(), width(g)]))
                .collect(),
            metrics: groups.map(|g| zeros([width(g), width(g)])).collect(),
            turns: fixed(vec![0.0; kinds * TURN], [kinds, TURN], device),
        }
    }

    /// These entries.
    pub(super) fn of(entries: &Entries, device: &Device) -> Self {
        let rows = |rows: &Vec<Vec<f32>>| {
            fixed(rows.concat(), [rows.len(), rows.first().map_or(0, Vec::len)], device)
        };
        Self {
            values: entries.groups.iter().map(|group| rows(&group.codes.concat())).collect(),
            metrics: entries.groups.iter().map(|group| rows(&group.metric)).collect(),
            turns: fixed(entries.turns.concat(), [entries.turns.len(), TURN], device),
        }
    }

    /// Whether nothing was put in yet.
    pub(super) fn is_empty(&self, shape: &Shape) -> Result<bool, ModelError> {
        let entries = self.entries(shape)?;
        let codes = entries.groups.iter().flat_map(|group| group.codes.iter().flatten());
        Ok(codes.flatten().all(|&number| number == 0.0))
    }

    /// The entries on the host.
    pub(super) fn entries(&self, shape: &Shape) -> Result<Entries, ModelError> {
        let rows = |tensor: &Param<Tensor<2>>| -> Result<Vec<Vec<f32>>, ModelError> {
            let tensor = tensor.val();
            let width = tensor.dims()[1];
            let numbers = to_host(tensor)?;
            Ok(numbers.chunks_exact(width).map(<[f32]>::to_vec).collect())
        };
        let groups = self.values.iter().zip(&self.metrics).zip(&shape.kinds[1..]);
        let groups = groups.map(|((codes, metric), kind)| {
            let codes = rows(codes)?.chunks_exact(kind.count()).map(<[_]>::to_vec).collect();
            Ok(Values::new(codes, rows(metric)?))
        });
        Ok(Entries {
            groups: groups.collect::<Result<_, ModelError>>()?,
            turns: rows(&self.turns)?.iter().map(|turn| [turn[0], turn[1]]).collect(),
        })
    }
}

/// The nearest of some points, and its squared distance.
pub(super) fn nearest(points: &[Vec<f32>], code: &[f32]) -> (usize, f32) {
    let distance =
        |point: &Vec<f32>| point.iter().zip(code).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
    let mut best = (0, f32::INFINITY);
    for (index, point) in points.iter().enumerate() {
        let far = distance(point);
        if far < best.1 {
            best = (index, far);
        }
    }
    best
}
