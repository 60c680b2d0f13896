//! What an encoder sees in each window, on the host.

use burn::tensor::{Tensor, TensorData};

use super::sampling::{HARMONICS, linear_outputs, radius};
use super::{RingsEncoder, Windows};
use crate::error::{ModelError, to_host};

/// Numbers for each harmonic of an object: two of its moment, and what it would be at most.
const MOMENT: usize = 3;

/// The windows of some panels, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Readings {
    /// For every panel and slot its window's row, where it has one.
    pub rows: Vec<Option<usize>>,
    objects: Vec<f32>,
    width: usize,
    moments: Vec<f32>,
}

impl Readings {
    /// Whether there is an object in a window.
    pub fn is_taken(&self, row: usize) -> bool {
        self.objects[row * self.width] > 0.0
    }

    /// The codes of a window's object, group by group.
    pub fn codes(&self, row: usize) -> &[f32] {
        &self.objects[row * self.width + 1..(row + 1) * self.width]
    }

    /// For each harmonic m from 1 on: the moment `∫ r^m e^{imφ}` of a window's ink (two numbers),
    /// and `∫ r^m`. When an object turns by an angle, its moments turn by m times as much.
    pub fn moments(&self, row: usize) -> &[f32] {
        &self.moments[row * MOMENT * HARMONICS..(row + 1) * MOMENT * HARMONICS]
    }
}

impl RingsEncoder {
    /// What is seen in each window of panels whose layouts are known.
    ///
    /// # Shapes
    /// `[n, h, w, 1]`
    pub(crate) fn readings(
        &self,
        images: Tensor<4>,
        layouts: &[usize],
    ) -> Result<Readings, ModelError> {
        let Windows { harmonics, rows } = self.look(images, layouts);
        let ([none, outputs], device) = (harmonics.dims(), harmonics.device());
        let row = |row: i32| usize::try_from(row).ok().filter(|&row| row < none);
        let objects = self.object.forward(harmonics.clone());
        let width = objects.dims()[1];
        let weights = TensorData::new(moment_weights(outputs), [outputs, MOMENT * HARMONICS]);
        let moments = harmonics.matmul(Tensor::from_data(weights, &device));
        Ok(Readings {
            rows: rows.into_iter().map(row).collect(),
            objects: to_host(objects)?,
            width,
            moments: to_host(moments)?,
        })
    }
}

/// How the harmonics of all rings add up to moments: a ring's area grows as r², as rings lie
/// apart by a constant factor.
///
/// # Shapes
/// `[linear outputs, 3 harmonics]`
fn moment_weights(outputs: usize) -> Vec<f32> {
    let rings = outputs / (1 + 2 * HARMONICS);
    debug_assert_eq!(linear_outputs(rings), outputs);
    let width = MOMENT * HARMONICS;
    let mut weights = vec![0.0; outputs * width];
    for ring in 0..rings {
        for m in 1..=HARMONICS {
            let weight = radius(ring as f32, rings).powi(m as i32 + 2);
            let parts = [m * rings + ring, (HARMONICS + m) * rings + ring, ring];
            for (part, from) in parts.into_iter().enumerate() {
                weights[from * width + (m - 1) * MOMENT + part] = weight;
            }
        }
    }
    weights
}
