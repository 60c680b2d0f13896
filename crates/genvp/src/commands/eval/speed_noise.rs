//! Panels with noise on every pixel: nothing in them repeats, so that nothing is gained by
//! computing equal parts of drawings only once.

use std::path::Path;

use genvp_puzzle::Stream;

use crate::failure::Failure;

/// How much of a pixel is noise.
const SHARE: f32 = 0.2;

fn stream(index: u64) -> Stream {
    Stream::new(1, "speed/noise", index)
}

/// Mixes noise into ink between 0 and 1; `index` says which noise.
pub fn into_ink(ink: &mut [f32], index: u64) {
    let mut stream = stream(index);
    ink.iter_mut().for_each(|ink| *ink = (1.0 - SHARE) * *ink + SHARE * stream.unit());
}

/// Mixes noise into grey pixels; `index` says which noise.
pub fn into_greys(pixels: &mut [u8], index: u64) {
    let mut stream = stream(index);
    for pixel in pixels {
        *pixel = ((1.0 - SHARE) * f32::from(*pixel) + SHARE * 255.0 * stream.unit()) as u8;
    }
}

/// Writes panels for a PyTorch twin: raw little-endian f32.
pub fn write_panels(path: &Path, ink: &[f32]) -> Result<(), Failure> {
    let bytes: Vec<u8> = ink.iter().flat_map(|ink| ink.to_le_bytes()).collect();
    std::fs::write(path, bytes)
        .map_err(|error| Failure::system(format!("{}: cannot write: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_patch_of_white_paper_with_noise_repeats() {
        const SIDE: usize = 64;
        let mut ink = vec![0.0f32; 4 * SIDE * SIDE];
        ink.chunks_exact_mut(SIDE * SIDE)
            .enumerate()
            .for_each(|(i, panel)| into_ink(panel, i as u64));
        let patch = |at: usize| -> Vec<u32> {
            let (panel, y, x) = (at / 256, at / 16 % 16, at % 16);
            let pixel = |i: usize| panel * SIDE * SIDE + (4 * y + i / 4) * SIDE + 4 * x + i % 4;
            (0..16).map(|i| ink[pixel(i)].to_bits()).collect()
        };
        let patches: HashSet<Vec<u32>> = (0..4 * 256).map(patch).collect();
        assert_eq!(patches.len(), 4 * 256);
        assert!(ink.iter().all(|ink| (0.0..=1.0).contains(ink)));
        let mut greys = vec![255u8; 1000];
        into_greys(&mut greys, 0);
        assert!(greys.iter().collect::<HashSet<_>>().len() > 40);
    }
}
