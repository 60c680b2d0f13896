//! The model's view of a panel is the mean of the exact one.

mod scenes;

use genvp_puzzle::{Domain, Layout, Stream, render};
use proptest::prelude::*;
use scenes::random_panel;

const SIDE: usize = render::SIDE;

/// The mean ink over the area of each new pixel, written out plainly.
fn plain_mean(grey: &[u8], from: usize, to: usize) -> Vec<f64> {
    let share = |i: usize, old: usize| {
        let (lo, hi) =
            (i as f64 * from as f64 / to as f64, (i + 1) as f64 * from as f64 / to as f64);
        ((hi.min(old as f64 + 1.0) - lo.max(old as f64)).max(0.0)) * to as f64 / from as f64
    };
    let mut out = vec![0.0; to * to];
    for y in 0..to {
        let rows: Vec<(usize, f64)> =
            (0..from).map(|r| (r, share(y, r))).filter(|&(_, w)| w > 0.0).collect();
        for x in 0..to {
            for &(r, wy) in &rows {
                for c in x * from / to..((x + 1) * from).div_ceil(to) {
                    out[y * to + x] +=
                        wy * share(x, c) * f64::from(255 - grey[r * from + c]) / 255.0;
                }
            }
        }
    }
    out
}

#[test]
fn ink_is_the_area_mean_of_the_exact_panel_at_every_size() {
    for (i, layout) in Layout::ALL.into_iter().enumerate() {
        for domain in Domain::ALL {
            let panel = random_panel(&mut Stream::new(1, "ink", i as u64), layout, domain);
            let mut grey = vec![0; SIDE * SIDE];
            render::panel_into(&panel, layout, domain, &mut grey);
            for side in [64, 80, 96, 128, 160, 224, 7] {
                let mut ink = vec![0.0; side * side];
                render::ink_into(&panel, layout, domain, side, &mut ink);
                for (ours, plain) in ink.iter().zip(plain_mean(&grey, SIDE, side)) {
                    assert!((f64::from(*ours) - plain).abs() < 1e-6, "{layout} {side}");
                }
            }
        }
    }
}

#[test]
fn raise_bilinear_taps_sit_where_raise_puts_them() {
    // A ramp that grows by one per column reads back its own sample points.
    let grey: Vec<u8> = (0..SIDE * SIDE).map(|i| (i % SIDE) as u8).collect();
    let mut ink = vec![0.0; 64 * 64];
    render::raise_bilinear(&grey, SIDE, 64, &mut ink);
    for (i, &v) in ink[..64].iter().enumerate() {
        let column = (1.0 - v) * 255.0;
        assert!((column - ((i as f32 + 0.5) * 2.5 - 0.5)).abs() < 1e-3, "{i}: {column}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn mean_ink_survives_any_resize(from in 1usize..40, to in 1usize..40, seed in any::<u64>()) {
        let mut stream = Stream::new(seed, "grey", 0);
        let grey: Vec<u8> = (0..from * from).map(|_| stream.below(256) as u8).collect();
        let mut ink = vec![0.0; to * to];
        render::resize_area(&grey, from, to, &mut ink);
        let before = grey.iter().map(|&g| f64::from(255 - g)).sum::<f64>() / 255.0;
        let after = ink.iter().map(|&v| f64::from(v)).sum::<f64>();
        let scale = (from * from) as f64 / (to * to) as f64;
        prop_assert!((before - after * scale).abs() < 1e-3 * before.max(1.0));
    }
}
