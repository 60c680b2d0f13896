//! Pictures as files.

use std::path::Path;

use genvp_draw::{Board, GreyImage, Picture};
use genvp_puzzle::family::Sheet;

use crate::failure::Failure;

/// Pixels per unit of a drawing: sharp on dense screens and on paper.
const SCALE: f32 = 2.0;

/// Writes a picture as PNG or SVG, by the ending of the path; whole or not at all.
pub fn write(path: &Path, picture: &Picture, force: bool) -> Result<(), Failure> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let bytes = match ending.as_deref() {
        Some("png") => picture
            .png(SCALE)
            .map_err(|error| Failure::bad(format!("{}: {error}", path.display())))?,
        Some("svg") => picture.svg().into_bytes(),
        _ => {
            let message = format!("{}: not a picture format that we write", path.display());
            return Err(Failure::bad(message).hint("end the name in .png or .svg"));
        }
    };
    Ok(genvp_data::write_file(path, &bytes, force)?)
}

/// A picture as the bytes of a PNG.
pub fn png(picture: &Picture) -> Result<Vec<u8>, Failure> {
    picture.png(SCALE).map_err(|error| Failure::bad(error.to_string()))
}

/// The board of a puzzle, with the very pixels of the file.
pub fn board(sheet: &Sheet, path: &Path) -> Result<Board, Failure> {
    let image = |panel: &[u8]| {
        GreyImage::new(sheet.side, sheet.side, panel)
            .map_err(|error| Failure::bad(format!("{}: {error}", path.display())))
    };
    let panels: Vec<GreyImage> = sheet.panels().map(image).collect::<Result<_, _>>()?;
    let (context, choices) = panels.split_at(sheet.form.context());
    Ok(Board::of_images(context, choices))
}
