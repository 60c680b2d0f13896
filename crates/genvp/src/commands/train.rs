//! `genvp train`: teach a model.

use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use genvp_model::DeviceChoice;
use genvp_puzzle::Layout;
use genvp_train::feed::LayoutWeights;
use genvp_train::metrics::Steps;
use genvp_train::{
    End, RegimeResult, RunConfig, RunFolder, RunOptions, Stop, StoredResult, TrainCallback,
    TrainError, Validation,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Train a model.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Train {
    /// Preset: named settings of model and training [default: cpu-64, or that of the resumed run]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Run folder: checkpoints, metrics, pictures
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Train on the training split of a dataset
    #[arg(long, value_name = "DIR", conflicts_with = "fresh")]
    data: Option<PathBuf>,
    /// Train on fresh puzzles, generated on the fly [default]
    #[arg(long)]
    fresh: bool,
    /// Train on these layouts of RAVEN only
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    layout: Vec<String>,
    /// Train on these regimes of PGM or VAD (their training split)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "layout")]
    regime: Vec<String>,
    /// Training puzzles in total; the learning-rate schedule spans them
    #[arg(long, value_name = "N")]
    puzzles: Option<u64>,
    /// Stop after so many minutes; --resume continues exactly
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// TOML file with settings that override the preset's
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Override one setting, such as train.batch=64 (repeatable)
    #[arg(long, value_name = "a.b=v")]
    set: Vec<String>,
    /// Resume the run in the folder
    #[arg(long)]
    resume: bool,
    /// Weights or checkpoint to start from
    #[arg(long, value_name = "W", conflicts_with = "resume")]
    init_from: Option<PathBuf>,
    /// Threads that generate puzzles
    #[arg(long, value_name = "T", default_value_t = 1)]
    feed_threads: usize,
}

const MORE: &str = "\
Ctrl-C once writes a checkpoint and stops (exit 130); twice stops at once. A run that was
stopped or killed continues with --resume, bit for bit the same (with the same number of
threads).

Examples:
  genvp train --preset cpu-64 --out runs/mine --minutes 30
  genvp train --out runs/mine --resume
  genvp train --preset pgm-cpu-64 --regime neutral --out runs/pgm --minutes 30
  genvp train --out runs/center --layout c-s --puzzles 50000 --set train.learning_rate=1e-3";

impl Train {
    /// Runs the training; what `--json` would say is in the run folder's metrics.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        let config = self.settings()?;
        let device = crate::device::open(device, console)?;
        let mut options = RunOptions::new(&self.out, device);
        options.resume = self.resume;
        options.init_from = self.init_from.clone();
        options.feed_threads = self.feed_threads;
        options.time = match self.minutes {
            Some(minutes) if minutes.is_finite() && (0.0..1e7).contains(&minutes) => {
                Some(Duration::from_secs_f64(60.0 * minutes))
            }
            Some(minutes) => return Err(Failure::bad(format!("--minutes {minutes}: not a time"))),
            None => None,
        };
        stop_on_interrupt(&options.stop)?;
        let mut display = Display::new(console, config.train.batch as u64);
        let outcome = genvp_train::run(&config, &options, &mut display);
        display.end();
        let outcome = outcome.map_err(failure)?;
        let best =
            outcome.best.map(|best| format!(", best {:.1} % at step {}", best.score, best.step));
        let how = match outcome.end {
            End::Finished => "finished",
            End::OutOfTime => "out of time",
            End::Asked => "stopped",
        };
        console.note(&format!(
            "{how} at step {}{}; {}",
            outcome.step,
            best.unwrap_or_default(),
            outcome.latest.display()
        ));
        Ok(if outcome.end == End::Asked { Answer::Interrupted } else { Answer::Yes })
    }

    fn settings(&self) -> Result<RunConfig, Failure> {
        let mut config = match &self.preset {
            // A run that is resumed knows its own settings.
            None if self.resume && self.out.join("config.toml").exists() => {
                RunFolder::config(&self.out)
            }
            name => RunConfig::preset(name.as_deref().unwrap_or("cpu-64")),
        }
        .map_err(failure)?;
        if let Some(path) = &self.config {
            config = config.with_file(path).map_err(failure)?;
        }
        if let Some(data) = &self.data {
            config.train.feed.data = data.display().to_string();
        } else if self.fresh {
            config.train.feed.data.clear();
        }
        if let Some(puzzles) = self.puzzles {
            config.train.puzzles = puzzles;
        }
        if !self.layout.is_empty() && self.layout != ["all"] {
            let layout = |name: &String| {
                Layout::parse(name).ok_or_else(|| Failure::bad(format!("`{name}` is not a layout")))
            };
            config.train.feed.layouts = LayoutWeights::only(
                &self.layout.iter().map(layout).collect::<Result<Vec<_>, _>>()?,
            );
        }
        if !self.regime.is_empty() {
            config.train.feed.regimes = self.regime.clone();
        }
        for setting in &self.set {
            config = config.with_setting(setting).map_err(failure)?;
        }
        Ok(config)
    }
}

/// What a failed training ends a command with.
pub fn failure(error: TrainError) -> Failure {
    let failure = if error.is_system_failure() {
        Failure::system(error.to_string())
    } else {
        Failure::bad(error.to_string())
    };
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The shell's code for a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

#[allow(clippy::exit, reason = "the second interrupt means: at once")]
fn stop_on_interrupt(stop: &Stop) -> Result<(), Failure> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.ask() {
            std::process::exit(INTERRUPTED);
        }
        let _ = writeln!(stderr(), "\nstopping after this step; once more stops at once");
    })
    .map_err(|e| Failure::system(format!("interrupts cannot be caught: {e}")))
}

/// Seconds between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// What people watch.
struct Display<'a> {
    console: &'a Console,
    bar: Option<ProgressBar>,
    batch: u64,
    steps: u64,
    last: Instant,
}

impl<'a> Display<'a> {
    fn new(console: &'a Console, batch: u64) -> Self {
        let bar = (console.shows_progress() && stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            let style = ProgressStyle::with_template(
                "{prefix}\n{msg}\n{wide_bar} {human_pos}/{human_len} puzzles · {elapsed} · {eta} left",
            );
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { console, bar, batch, steps: 0, last: Instant::now() }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => self.console.note(text),
        }
    }
}

impl TrainCallback for Display<'_> {
    fn started(&mut self, step: u64, steps: u64, batch: usize) {
        self.steps = steps;
        if let Some(bar) = &self.bar {
            bar.set_length(steps * batch as u64);
            bar.set_position(step * batch as u64);
            bar.reset_eta();
        }
        if step > 0 {
            self.say(&format!("going on before step {step} of {steps}"));
        }
    }

    fn found_values(&mut self, fit: &genvp_model::CodebookFit) {
        let percent = |share: &f64| format!("{share:.1}");
        let list = |shares: &[f64]| shares.iter().map(percent).collect::<Vec<_>>().join(", ");
        let unordered = fit.ordered.iter().filter(|ordered| !**ordered).count();
        self.say(&format!(
            "values found in codes: {} % of the rows agree with their rules; attributes without an order: {unordered}",
            list(&fit.agree)
        ));
    }

    fn stepped(&mut self, report: &genvp_train::StepReport) {
        if let Some(skip) = &report.skipped {
            self.say(&format!("step {}: update skipped: {skip}", report.step));
        }
        if let Some(bar) = &self.bar {
            bar.set_position((report.step + 1) * self.batch);
        }
    }

    fn measured(&mut self, steps: &Steps) {
        let terms: Vec<String> =
            steps.loss.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
        let text = format!(
            "{:.0} puzzles/s · {} · {}",
            steps.puzzles_per_second,
            steps.phase,
            terms.join(" · ")
        );
        if let Some(bar) = &self.bar {
            bar.set_message(text);
        } else if self.console.shows_progress() && self.last.elapsed() >= LINE_EVERY {
            self.last = Instant::now();
            let left = (self.steps.saturating_sub(steps.step) * self.batch) as f64
                / steps.puzzles_per_second.max(1e-9);
            self.console.note(&format!(
                "{} puzzles, {:.0} min left · {text}",
                steps.puzzles,
                left / 60.0
            ));
        }
    }

    fn examined(&mut self, step: u64, result: &Validation, is_best: bool) {
        let star = if is_best { " ★" } else { "" };
        if !result.regimes.is_empty() {
            let of = |(name, own): (&String, &RegimeResult)| {
                format!(
                    "{name} {:.1} (vote {:.0}) rules {:.1}",
                    own.answers.percent, own.majority, own.rules.percent
                )
            };
            let regimes: Vec<String> = result.regimes.iter().map(of).collect();
            self.say(&format!("{} puzzles: {}{star}", step * self.batch, regimes.join(" · ")));
            return;
        }
        if !result.stored.is_empty() {
            let of = |(name, own): (&String, &StoredResult)| {
                format!("{name} {:.1} (vote {:.0})", own.answers.percent, own.majority)
            };
            let layouts: Vec<String> = result.stored.iter().map(of).collect();
            self.say(&format!(
                "{} puzzles: stored split {:.1} rules {:.1} error {:.1} KL {:.1}{star} · {}",
                step * self.batch,
                result.score(),
                result.rules,
                result.squared_error,
                result.kl_irrelevant,
                layouts.join(" ")
            ));
            return;
        }
        let layouts: Vec<String> = result
            .layouts
            .iter()
            .map(|(name, own)| format!("{name} {:.0}/{:.0}", own.iraven.percent, own.raven.percent))
            .collect();
        let text = format!(
            "{} puzzles: I-RAVEN {:.1} RAVEN {:.1} (vote {:.0}/{:.0}) rules {:.1} error {:.1} KL {:.1}{} · {}",
            step * self.batch,
            result.iraven,
            result.raven,
            result.majority_iraven,
            result.majority_raven,
            result.rules,
            result.squared_error,
            result.kl_irrelevant,
            star,
            layouts.join(" ")
        );
        if let Some(bar) = &self.bar {
            bar.set_prefix(text.clone());
        }
        self.say(&text);
    }

    fn warned(&mut self, step: u64, warning: &str) {
        self.say(&format!("warning at step {step}: {warning}"));
    }

    fn kept(&mut self, path: &Path) {
        self.console.detail(&format!("kept {}", path.display()));
    }
}
