//! Panels at the size that a model wants: ink = 1, paper = 0.

/// Side of a panel in pixels, as the original files of all three families have it.
pub const SIDE: usize = 160;

/// Averages a grey picture over the area of each new pixel and turns it into
/// ink: black is 1, white is 0. Works for any two sizes; when a picture grows,
/// every new pixel takes the mean of the old ones it lies on.
///
/// # Panics
/// When the slices do not hold `from * from` and `to * to` pixels.
pub fn resize_area(grey: &[u8], from: usize, to: usize, out: &mut [f32]) {
    assert_eq!(grey.len(), from * from, "a grey picture of {from}x{from}");
    assert_eq!(out.len(), to * to, "an ink picture of {to}x{to}");
    if from == SIDE && to == 64 {
        return five_to_two(grey, out);
    }
    let ink: Vec<f32> = grey.iter().map(|&g| f32::from(255 - g) / 255.0).collect();
    resize_ink(&ink, from, to, out);
}

/// Averages an ink picture over the area of each new pixel, as [`resize_area`]
/// does for a grey one.
///
/// # Panics
/// When the slices do not hold `from * from` and `to * to` pixels.
pub fn resize_ink(ink: &[f32], from: usize, to: usize, out: &mut [f32]) {
    assert_eq!(ink.len(), from * from, "an ink picture of {from}x{from}");
    assert_eq!(out.len(), to * to, "an ink picture of {to}x{to}");
    if from == to {
        return out.copy_from_slice(ink);
    }
    let taps = Taps::new(from, to);
    let mut column = vec![0f32; from];
    for (y, out) in out.chunks_exact_mut(to).enumerate() {
        column.fill(0.0);
        for &(row, weight) in taps.of(y) {
            for (sum, &v) in column.iter_mut().zip(&ink[row * from..(row + 1) * from]) {
                *sum += weight * v;
            }
        }
        for (x, ink) in out.iter_mut().enumerate() {
            *ink = taps.of(x).iter().map(|&(c, weight)| weight * column[c]).sum::<f32>();
        }
    }
}

/// Which old rows (or columns) a new one lies on, and with what share.
struct Taps {
    starts: Vec<usize>,
    taps: Vec<(usize, f32)>,
}

impl Taps {
    fn new(from: usize, to: usize) -> Self {
        let mut starts = vec![0];
        let mut taps = Vec::new();
        for i in 0..to {
            // In units of 1/to old pixels everything is a whole number.
            let (lo, hi) = (i * from, (i + 1) * from);
            for old in lo / to..hi.div_ceil(to) {
                let overlap = hi.min((old + 1) * to) - lo.max(old * to);
                taps.push((old, overlap as f32 / from as f32));
            }
            starts.push(taps.len());
        }
        Self { starts, taps }
    }

    fn of(&self, i: usize) -> &[(usize, f32)] {
        &self.taps[self.starts[i]..self.starts[i + 1]]
    }
}

/// The common case, 160 to 64, in whole numbers: five rows become two, five
/// columns become two, and the middle one is shared half and half.
fn five_to_two(grey: &[u8], out: &mut [f32]) {
    // Ink of the 25 half-pixel squares of a new pixel, when all are black.
    const SCALE: f32 = 1.0 / (25.0 * 255.0);
    let mut sums = [[0u16; SIDE]; 2];
    for (five, two) in grey.chunks_exact(5 * SIDE).zip(out.chunks_exact_mut(2 * 64)) {
        let row = |i: usize| &five[i * SIDE..(i + 1) * SIDE];
        let (a, b, c, d, e) = (row(0), row(1), row(2), row(3), row(4));
        let [upper, lower] = &mut sums;
        for x in 0..SIDE {
            let shared = u16::from(c[x]);
            upper[x] = 5 * 255 - (2 * (u16::from(a[x]) + u16::from(b[x])) + shared);
            lower[x] = 5 * 255 - (2 * (u16::from(d[x]) + u16::from(e[x])) + shared);
        }
        for (sums, out) in sums.iter().zip(two.chunks_exact_mut(64)) {
            for (v, out) in sums.chunks_exact(5).zip(out.chunks_exact_mut(2)) {
                out[0] = SCALE * f32::from(2 * (v[0] + v[1]) + v[2]);
                out[1] = SCALE * f32::from(2 * (v[3] + v[4]) + v[2]);
            }
        }
    }
}

/// The resize of RAISE's data preparation: bilinear between the two nearest
/// pixels of a picture, without averaging over what lies between, then turned
/// into ink. From 160 to 64 px the taps sit at 0.75, 3.25, 5.75, ...
///
/// # Panics
/// When the slices do not hold `from * from` and `to * to` pixels.
pub fn raise_bilinear(grey: &[u8], from: usize, to: usize, out: &mut [f32]) {
    assert_eq!(grey.len(), from * from, "a grey picture of {from}x{from}");
    assert_eq!(out.len(), to * to, "an ink picture of {to}x{to}");
    let ratio = from as f32 / to as f32;
    let taps: Vec<(usize, usize, f32)> = (0..to)
        .map(|i| {
            let at = ((i as f32 + 0.5) * ratio - 0.5).max(0.0);
            let low = (at as usize).min(from - 1);
            (low, (low + 1).min(from - 1), at - low as f32)
        })
        .collect();
    for (&(y0, y1, fy), out) in taps.iter().zip(out.chunks_exact_mut(to)) {
        for (&(x0, x1, fx), ink) in taps.iter().zip(out) {
            let at = |y: usize, x: usize| f32::from(grey[y * from + x]);
            let upper = at(y0, x0) * (1.0 - fx) + at(y0, x1) * fx;
            let lower = at(y1, x0) * (1.0 - fx) + at(y1, x1) * fx;
            *ink = 1.0 - (upper * (1.0 - fy) + lower * fy) / 255.0;
        }
    }
}
