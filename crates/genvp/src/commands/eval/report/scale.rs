//! How much is measured.

use std::path::PathBuf;

use genvp_report::ablation::SMALL_PUZZLES;

use super::Report;

/// Fewer questions than these tell too little to print a share.
const LEAST: u64 = 30;

/// How much is measured.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Puzzles of each layout and set.
    pub n: u64,
    /// The same for shifted values, of which there are eight times as many.
    pub shifted: u64,
    /// The seed of fresh puzzles.
    pub seed: u64,
    /// Minutes that each model without some rules learns; absent: left out.
    pub minutes: Option<f64>,
    /// Puzzles of each layout that the learned mixture is taught on.
    pub taught: u64,
    /// Whether ablations are trained.
    pub ablation: bool,
    /// Whether they are the full ones.
    pub full: bool,
    /// Puzzles that a small ablation learns from.
    pub ablation_puzzles: u64,
    /// Puzzles of the ablations' exam.
    pub ablation_n: u64,
    /// Presets whose training step is timed, and by how many puzzles a step.
    pub timed: Vec<(&'static str, Option<u64>)>,
    /// Imagined puzzles of each layout.
    pub imagined: u64,
    /// Questions of each layout to which several answers are drawn.
    pub answered: u64,
    /// Shares of fewer questions are not printed.
    pub least: u64,
    /// The original programs' puzzles.
    pub originals: Option<PathBuf>,
    /// A Python with torch.
    pub torch: Option<String>,
    /// Why something was left out.
    pub left_out: &'static str,
}

impl Scale {
    /// As the command line says.
    pub fn new(report: &Report) -> Self {
        let quick = report.quick;
        let n = report.n.unwrap_or(if quick { 100 } else { 500 });
        let minutes = report.minutes.unwrap_or(if quick { 2.0 } else { 10.0 });
        let minutes = Some(minutes).filter(|minutes| *minutes > 0.0 && !report.no_training);
        let timed: &[(&str, Option<u64>)] = match (report.no_training, quick) {
            (true, _) => &[],
            (false, true) => &[("cpu-64", None), ("paper-cnn-s", Some(10))],
            (false, false) => &[
                ("cpu-64", None),
                ("paper-cnn-s", Some(20)),
                ("paper-64", Some(20)),
                ("paper-64-resnet", Some(20)),
                ("paper-64-vit", Some(20)),
                ("paper-128", Some(10)),
                ("paper-224", Some(4)),
            ],
        };
        Self {
            n,
            shifted: if quick { n.min(60) } else { n },
            seed: report.seed,
            minutes,
            taught: if report.no_training {
                0
            } else if quick {
                100
            } else {
                400
            },
            ablation: !quick && !report.no_training,
            full: report.full,
            ablation_puzzles: SMALL_PUZZLES,
            ablation_n: 300,
            timed: timed.to_vec(),
            imagined: if quick { n.min(50) } else { n },
            answered: n.min(if quick { LEAST } else { 100 }),
            least: LEAST,
            originals: report.originals.clone(),
            torch: report.torch.clone(),
            left_out: if report.no_training {
                "left out by --no-training"
            } else {
                "left out by --quick"
            },
        }
    }
}
