//! p(X|Z): a panel from what it shows.

use burn::module::{Module, Param};
use burn::tensor::{Device, Tensor, activation};
use genvp_puzzle::relations::codes::{PER_LINE, PER_PLACE, PLACES};
use serde::{Deserialize, Serialize};

use crate::mlp::Mlp;

/// How panels are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelDecoderConfig {
    /// Hidden widths of the network that draws a shape.
    pub shape: Vec<usize>,
}

/// How much of the paper lines cover before anything is learned, as a logit.
const BARE: f64 = -2.0;

/// Draws a panel object by object. One network, the same for all nine places, draws a shape in the
/// window of its place: how much of each pixel it covers, and with how much ink. Lines have a
/// picture for each type, which says how much of each pixel of the panel they cover, and an ink
/// for each grey. Lines are laid upon each other in the order of their types, and shapes upon
/// them.
#[derive(Module, Debug)]
pub struct PanelDecoder {
    /// Type, size and grey of a shape to logits of the cover and the ink of its window's pixels.
    pub shape: Mlp,
    /// The cover of each type of line, as logits `[types, h · w]`.
    pub lines: Param<Tensor<2>>,
    /// The ink of each grey of lines, as logits `[greys, 1]`.
    pub greys: Param<Tensor<2>>,
    #[module(skip)]
    size: usize,
}

impl PanelDecoder {
    /// A decoder of panels with the first `line_types` types of lines.
    pub(super) fn new(
        size: usize,
        line_types: usize,
        config: &PanelDecoderConfig,
        device: &Device,
    ) -> Self {
        let window = size / 4;
        let shape = [&[PER_PLACE - 1], config.shape.as_slice(), &[2 * window * window]].concat();
        let lines = Tensor::full([line_types, size * size], BARE, device);
        Self {
            shape: Mlp::new(&shape, false, device),
            lines: Param::from_tensor(lines),
            greys: Param::from_tensor(Tensor::zeros([PER_LINE, 1], device)),
            size,
        }
    }

    /// Ink, from [`codes`](genvp_puzzle::relations::codes).
    ///
    /// # Shapes
    /// `[n, codes] -> [n, h, w, 1]`
    pub fn forward(&self, codes: Tensor<2>) -> Tensor<4> {
        let ([n, all], size) = (codes.dims(), self.size);
        let (places, rest) = (PLACES * PER_PLACE, all - PLACES * PER_PLACE);
        let behind = self.draw_lines(codes.clone().narrow(1, places, rest));
        let [cover, ink] = self.draw_shapes(codes.narrow(1, 0, places));
        let bare = cover.neg().add_scalar(1.0);
        (behind.reshape([n, size, size]) * bare + ink).reshape([n, size, size, 1])
    }

    /// # Shapes
    /// `[n, line codes] -> [n, h · w]`
    fn draw_lines(&self, codes: Tensor<2>) -> Tensor<2> {
        let ([n, all], [types, pixels]) = (codes.dims(), self.lines.dims());
        let codes = codes.reshape([n, all / PER_LINE, PER_LINE]);
        let covers = activation::sigmoid(self.lines.val());
        let inks = activation::sigmoid(self.greys.val());
        let mut panel = Tensor::zeros([n, pixels], &covers.device());
        for kind in 0..types {
            let cover = covers.clone().narrow(0, kind, 1);
            let grey = codes.clone().narrow(1, kind, 1).squeeze_dim::<2>(1);
            let ink = grey.clone().matmul(inks.clone()).matmul(cover.clone());
            let cover = grey.sum_dim(1).matmul(cover);
            panel = panel * cover.neg().add_scalar(1.0) + ink;
        }
        panel
    }

    /// How much of each pixel shapes cover, and the ink of what they cover.
    ///
    /// # Shapes
    /// `[n, place codes] -> [n, h, w]` twice
    fn draw_shapes(&self, codes: Tensor<2>) -> [Tensor<3>; 2] {
        let n = codes.dims()[0];
        let window = self.size / 4;
        let codes = codes.reshape([n * PLACES, PER_PLACE]);
        let there = codes.clone().narrow(1, 0, 1);
        let drawn = activation::sigmoid(self.shape.forward(codes.narrow(1, 1, PER_PLACE - 1)));
        let cover = drawn.clone().narrow(1, 0, window * window) * there;
        let ink = drawn.narrow(1, window * window, window * window) * cover.clone();
        [cover, ink].map(|windows| self.on_panel(windows))
    }

    /// Puts the windows of the nine places, which tile the middle of a panel, where they belong.
    ///
    /// # Shapes
    /// `[n · places, window · window] -> [n, h, w]`
    fn on_panel(&self, windows: Tensor<2>) -> Tensor<3> {
        let (n, device) = (windows.dims()[0] / PLACES, windows.device());
        let (window, middle, edge) = (self.size / 4, 3 * self.size / 4, self.size / 8);
        let tiles = windows.reshape([n, 3, 3, window, window]).permute([0, 1, 3, 2, 4]);
        let tiles = tiles.reshape([n, middle, middle]);
        let beside = Tensor::zeros([n, middle, edge], &device);
        let wide = Tensor::cat(vec![beside.clone(), tiles, beside], 2);
        let above = Tensor::zeros([n, edge, self.size], &device);
        Tensor::cat(vec![above.clone(), wide, above], 1)
    }
}
