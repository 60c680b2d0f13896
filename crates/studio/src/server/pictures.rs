//! Pixels as addresses that hold them, for answers in JSON.

use genvp_draw::{GreyImage, base64, grey_png};
use genvp_infer::imagine::Drawing;
use genvp_puzzle::family::Sheet;

use crate::engine::Refusal;

/// The largest side of a shown panel.
const SHOWN: usize = 160;

/// A grey picture as an address.
fn address(side: usize, pixels: &[u8]) -> String {
    format!("data:image/png;base64,{}", base64(&grey_png(side, side, pixels)))
}

/// Every panel of a puzzle, at most 160 pixels wide.
pub fn panels(sheet: &Sheet) -> Result<Vec<String>, Refusal> {
    let shown = |panel: &[u8]| {
        let image = GreyImage::new(sheet.side, sheet.side, panel)
            .map_err(|error| Refusal::impossible(error.to_string()))?;
        let side = sheet.side.min(SHOWN);
        let image = if side < sheet.side { image.resized(side, side) } else { image };
        Ok(address(side, image.pixels()))
    };
    sheet.panels().map(shown).collect()
}

/// The nine panels that a model drew.
pub fn drawing(drawing: &Drawing) -> Vec<String> {
    (0..9).map(|panel| address(genvp_infer::judge::SIDE, &drawing.grey(panel))).collect()
}

/// A panel of a model: ink = 1.
pub fn ink(side: usize, ink: &[f32]) -> String {
    let byte = |ink: &f32| (255.0 * (1.0 - ink.clamp(0.0, 1.0))).round() as u8;
    address(side, &ink.iter().map(byte).collect::<Vec<u8>>())
}
