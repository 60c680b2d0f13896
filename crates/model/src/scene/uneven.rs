//! Components whose objects are not all alike in an attribute.

use burn::tensor::{Tensor, TensorData};

use super::decoded_scene::DecodedScene;
use super::{AutoregressivePrior, ValueKind};

/// Blocks whose objects are not all alike: no value describes them, so they are not decoded.
pub(super) struct Uneven {
    /// 1 for such blocks `[b, C, 1, 1]`.
    block: Tensor<4>,
    /// What stands in them `[b, C, MN, value width]`.
    codes: Tensor<4>,
    /// The number after the code `[b, C, MN, 1]`.
    pub(super) flag: Tensor<4>,
}

impl Uneven {
    pub(super) fn fill(&self, codes: Tensor<4>) -> Tensor<4> {
        let keep = self.block.clone().neg().add_scalar(1.0);
        codes * keep + self.codes.clone() * self.block.clone()
    }
}

impl AutoregressivePrior {
    /// 1 where a known panel shows several objects.
    ///
    /// # Shapes
    /// `[b, MN, K_Zo] -> [b, C, MN, 1]`
    pub(super) fn several(&self, known: &Tensor<3>, present: &[bool]) -> Tensor<4> {
        let [b, n, _] = known.dims();
        let flags: Vec<f32> = present.iter().map(|&p| f32::from(u8::from(p))).collect();
        let there = Tensor::<4>::from_data(TensorData::new(flags, [b, 1, n, 1]), &known.device());
        let there = there.repeat_dim(1, self.components);
        let mut groups = self.config.groups.iter().enumerate();
        let occupancy = groups.find_map(|(group, kind)| match kind {
            ValueKind::Occupancy { slots } => Some((group, *slots)),
            _ => None,
        });
        match occupancy {
            // After the slots comes "at least 2".
            Some((group, slots)) => {
                self.block(known, group).narrow(3, slots, 1).greater_elem(0.0).float() * there
            }
            None => there,
        }
    }

    /// Which blocks hold objects that are not all alike: so says at least every second of the
    /// known panels with `several` objects. (One may be mistaken.)
    pub(super) fn uneven(
        &self,
        block: &Tensor<4>,
        decoded: &DecodedScene,
        several: &Tensor<4>,
    ) -> Uneven {
        let [_, _, n, width] = block.dims();
        let value_width = decoded.codes.dims()[3];
        let after = block.clone().narrow(3, value_width, width - value_width);
        if after.dims()[3] != 1 || self.puzzle.layouts == 1 {
            let none = decoded.present.zeros_like();
            return Uneven {
                block: none.clone().narrow(2, 0, 1),
                codes: decoded.codes.clone(),
                flag: none,
            };
        }
        let mixed = (after.greater_elem(0.0).float() * several.clone()).sum_dim(2);
        let half = several.clone().sum_dim(2).mul_scalar(0.5).clamp_min(0.5);
        let any = mixed.greater_equal(half).float();
        // The mean of the known panels stands for those that are missing.
        let count = decoded.present.clone().sum_dim(2).clamp_min(1.0);
        let raw = block.clone().narrow(3, 0, value_width) * decoded.present.clone();
        let mean = raw.clone().sum_dim(2) / count;
        let open = decoded.present.clone().neg().add_scalar(1.0);
        Uneven {
            codes: raw + mean.repeat_dim(2, n) * open,
            flag: any.clone().repeat_dim(2, n).mul_scalar(2.0).sub_scalar(1.0),
            block: any,
        }
    }
}
