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
    /// Puzzles that each model without some rules learns from.
    pub held_out_puzzles: u64,
    /// Puzzles of each layout that the learned mixture is taught on.
    pub taught: u64,
    /// Why nothing is trained at all.
    pub no_training: Option<&'static str>,
    /// Why models without some rules are not trained.
    pub no_held_out: Option<&'static str>,
    /// Why ablations are not trained.
    pub no_ablation: Option<&'static str>,
    /// Whether they are the full ones.
    pub full: bool,
    /// Puzzles that a small ablation learns from.
    pub ablation_puzzles: u64,
    /// Puzzles of the ablations' exam.
    pub ablation_n: u64,
    /// Why training steps are not timed, but for those below.
    pub untimed: &'static str,
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
}

/// Why something is missing.
const NO_TRAINING: &str = "left out by --no-training";
const QUICK: &str = "left out by --quick";

impl Scale {
    /// As the command line says.
    pub fn new(report: &Report) -> Self {
        let quick = report.quick;
        let n = report.n.unwrap_or(if quick { 100 } else { 500 });
        let held_out_puzzles = report.puzzles.unwrap_or(if quick { 3_200 } else { 30_000 });
        let no_training = report.no_training.then_some(NO_TRAINING);
        let untimed = match (report.no_training, report.no_timing, quick) {
            (true, _, _) => NO_TRAINING,
            (_, true, _) => "left out by --no-timing",
            (_, _, true) => QUICK,
            _ => "not timed by the report",
        };
        let timed: &[(&str, Option<u64>)] = match (report.no_training || report.no_timing, quick) {
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
            held_out_puzzles,
            no_held_out: no_training
                .or_else(|| (held_out_puzzles == 0).then_some("left out by --puzzles 0")),
            taught: if quick { 100 } else { 400 },
            no_training,
            no_ablation: no_training.or_else(|| quick.then_some(QUICK)),
            full: report.full,
            ablation_puzzles: SMALL_PUZZLES,
            ablation_n: 300,
            untimed,
            timed: timed.to_vec(),
            imagined: if quick { n.min(50) } else { n },
            answered: report.answers.unwrap_or(n.min(if quick { LEAST } else { 100 })),
            least: LEAST,
            originals: report.originals.clone(),
            torch: report.torch.clone(),
        }
    }
}
