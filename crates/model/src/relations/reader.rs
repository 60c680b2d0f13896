//! q(Z_o|X): what stands at each place of a panel, and which lines there are.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_puzzle::relations::codes::{LINE_TYPES, PER_LINE, PER_PLACE, PLACES};

use super::ReaderConfig;
use crate::mlp::Mlp;

/// Reads a panel in two ways: one network looks at each of the nine places where shapes stand, and
/// is the same for all of them; another looks at the whole panel for the lines behind them.
///
/// The centres of the places are a quarter of the side apart and no shape reaches further than half
/// of that, so the places are nine windows that tile the middle of the panel.
#[derive(Module, Debug)]
pub struct PanelReader {
    /// A window to what stands there.
    pub place: Mlp,
    /// A panel to the greys of its lines.
    pub lines: Mlp,
}

impl PanelReader {
    pub(super) fn new(size: usize, config: &ReaderConfig, device: &Device) -> Self {
        let window = size / 4;
        let place = [&[window * window], config.place.as_slice(), &[PER_PLACE]].concat();
        let lines = [&[size * size], config.lines.as_slice(), &[LINE_TYPES * PER_LINE]].concat();
        Self { place: Mlp::new(&place, true, device), lines: Mlp::new(&lines, true, device) }
    }

    /// The log-odds of everything that a panel may show
    /// (see [`codes`](genvp_puzzle::relations::codes)).
    ///
    /// # Shapes
    /// `[n, h, h, 1] -> [n, codes]`
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let [n, size, _, _] = images.dims();
        let window = size / 4;
        let middle = images.clone().narrow(1, size / 8, 3 * window);
        let middle = middle.narrow(2, size / 8, 3 * window).reshape([n, 3, window, 3, window]);
        let places = middle.permute([0, 1, 3, 2, 4]).reshape([n * PLACES, window * window]);
        let places = self.place.forward(places).reshape([n, PLACES * PER_PLACE]);
        let lines = self.lines.forward(images.reshape([n, size * size]));
        Tensor::cat(vec![places, lines], 1)
    }
}
