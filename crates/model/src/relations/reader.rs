//! q(Z_o|X): what stands at each place of a panel, and which lines there are.

use burn::module::{Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Int, Tensor};
use genvp_puzzle::relations::codes::{
    COLORS, LINE_TYPES, PER_LINE, PER_PLACE, PLACES, SIZES, TYPES,
};

use super::ReaderConfig;
use crate::mlp::Mlp;

/// The log-odds that a fresh reader gives everything. What a panel may show is mostly absent; and as
/// a value is there unless all nine places lack it, readers that began at even odds would take every
/// value to be everywhere, where labels of rules have no gradient left.
const RARE: f64 = -3.0;

/// Sizes and greys, each a scale of its own at a place; the third is that of the lines' greys.
const SCALES: usize = 3;

/// What is said on a scale: whether something is there, and where on the scale.
const PER_SCALE: usize = 2;

/// Reads a panel in two ways: one network looks at each of the nine places where shapes stand, and
/// is the same for all of them; another looks at the whole panel for the lines behind them.
///
/// The centres of the places are a quarter of the side apart and no shape reaches further than half
/// of that, so the places are nine windows that tile the middle of the panel.
///
/// Either each value is said by itself, or sizes and greys are read on scales
/// ([`ReaderConfig::ordered`]).
#[derive(Module, Debug)]
pub struct PanelReader {
    /// A window to what stands there.
    pub place: Mlp,
    /// A panel to the greys of its lines.
    pub lines: Mlp,
    /// The logarithms of how fast odds fall beside the place on a scale, of readers with scales.
    pub sharpness: Option<Param<Tensor<1>>>,
}

impl PanelReader {
    pub(super) fn new(size: usize, config: &ReaderConfig, device: &Device) -> Self {
        let window = size / 4;
        let (at_place, of_line) = if config.ordered {
            (1 + TYPES + 2 * PER_SCALE, PER_SCALE + 1)
        } else {
            (PER_PLACE, PER_LINE)
        };
        let place = [&[window * window], config.place.as_slice(), &[at_place]].concat();
        let lines = [&[size * size], config.lines.as_slice(), &[LINE_TYPES * of_line]].concat();
        let network = |widths: &[usize], scales: &[usize]| {
            let mut network = Mlp::new(widths, true, device);
            let rare = |output: usize| if scales.contains(&output) { 0.0 } else { RARE as f32 };
            let bias: Vec<f32> = (0..widths[widths.len() - 1]).map(rare).collect();
            network.out.bias = Some(Param::from_data(bias.as_slice(), device));
            network
        };
        let (place_scales, line_scales): (Vec<usize>, Vec<usize>) = if config.ordered {
            let own = [2 + TYPES, 2 + TYPES + PER_SCALE];
            (own.into(), (0..LINE_TYPES).map(|line| line * of_line + 1).collect())
        } else {
            Default::default()
        };
        Self {
            place: network(&place, &place_scales),
            lines: network(&lines, &line_scales),
            sharpness: config.ordered.then(|| Initializer::Zeros.init([SCALES], device)),
        }
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
        let places = self.place.forward(places);
        let lines = self.lines.forward(images.reshape([n, size * size]));
        let (places, lines) = match &self.sharpness {
            None => (places, lines),
            Some(sharpness) => {
                let sharpness = sharpness.val();
                let lines = lines.reshape([n * LINE_TYPES, PER_SCALE + 1]);
                (place_odds(places, &sharpness), line_odds(lines, &sharpness))
            }
        };
        let places = places.reshape([n, PLACES * PER_PLACE]);
        Tensor::cat(vec![places, lines.reshape([n, LINE_TYPES * PER_LINE])], 1)
    }
}

/// What a reader with scales says of places, value by value.
///
/// # Shapes
/// `[m, 1 + types + 2 · 2] -> [m, 1 + types + sizes + colors]`
fn place_odds(said: Tensor<2>, sharpness: &Tensor<1>) -> Tensor<2> {
    let named = 1 + TYPES;
    let scale = |number: usize, values: usize| {
        let own = said.clone().narrow(1, named + number * PER_SCALE, PER_SCALE);
        on_scale(own, values, sharpness.clone().narrow(0, number, 1))
    };
    Tensor::cat(vec![said.clone().narrow(1, 0, named), scale(0, SIZES), scale(1, COLORS)], 1)
}

/// The same of lines; black is on no scale.
///
/// # Shapes
/// `[m, 2 + 1] -> [m, greys + 1]`
fn line_odds(said: Tensor<2>, sharpness: &Tensor<1>) -> Tensor<2> {
    let greys = said.clone().narrow(1, 0, PER_SCALE);
    let greys = on_scale(greys, PER_LINE - 1, sharpness.clone().narrow(0, 2, 1));
    Tensor::cat(vec![greys, said.narrow(1, PER_SCALE, 1)], 1)
}

/// The log-odds of every value of a scale, whose middle is at 0 and whose ends are at -1 and +1: they
/// fall with the square of the distance from the place that is said.
///
/// # Shapes
/// `[m, 2] -> [m, values]`
fn on_scale(said: Tensor<2>, values: usize, sharpness: Tensor<1>) -> Tensor<2> {
    let half = (values - 1) as f64 / 2.0;
    let values = Tensor::<1, Int>::arange(0..values as i64, &said.device()).float();
    let place = said.clone().narrow(1, 1, 1).add_scalar(1.0).mul_scalar(half);
    let gap = place - values.unsqueeze_dim::<2>(0);
    said.narrow(1, 0, 1) - gap.clone() * gap * sharpness.exp().unsqueeze_dim::<2>(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_on_a_scale_are_highest_at_the_place_that_is_said() {
        let device = Device::flex();
        // Value 7 of 0 to 9, then 0, then half way between 4 and 5.
        let said =
            Tensor::<2>::from_floats([[3.0, 7.0 / 4.5 - 1.0], [-2.0, -1.0], [1.0, 0.0]], &device);
        let odds = on_scale(said, 10, Tensor::from_floats([0.0], &device));
        let odds = odds.into_data().try_to_vec::<f32>().unwrap();
        assert!((odds[7] - 3.0).abs() < 1e-5 && (odds[6] - 2.0).abs() < 1e-5);
        assert!((odds[10] + 2.0).abs() < 1e-5 && (odds[12] + 6.0).abs() < 1e-5);
        assert!((odds[24] - odds[25]).abs() < 1e-5 && odds[24] > odds[23]);
    }

    #[test]
    fn readers_of_both_kinds_say_something_of_every_code() {
        let device = Device::flex();
        for ordered in [false, true] {
            let config = ReaderConfig { place: vec![12], lines: vec![10], ordered };
            let reader = PanelReader::new(16, &config, &device);
            let odds = reader.forward(Tensor::zeros([2, 16, 16, 1], &device));
            assert_eq!(odds.dims(), [2, genvp_puzzle::relations::codes::CODES]);
            let said = odds.into_data().try_to_vec::<f32>().unwrap();
            assert!(said.iter().all(|odds| *odds < 0.0), "nothing is there before it is learned");
        }
    }
}
