//! What is said to the person in front of the terminal. Data goes to standard
//! output; everything here goes to standard error.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use genvp_data::Note;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::{ColorChoice, Global};

/// Messages, warnings and progress: how much of them, and in which colours.
#[derive(Clone, Debug)]
pub struct Console {
    quiet: bool,
    verbose: bool,
    progress: bool,
    color: bool,
}

impl Console {
    /// As the global flags, the terminal and `NO_COLOR` say.
    pub fn new(global: &Global) -> Self {
        let color = match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        Self {
            quiet: global.quiet,
            verbose: global.verbose,
            progress: !global.no_progress && !global.quiet,
            color,
        }
    }

    /// Whether progress is wanted.
    pub fn shows_progress(&self) -> bool {
        self.progress
    }

    fn line(&self, style: &str, head: &str, text: &str) {
        let head = if self.color { format!("\x1b[{style}m{head}\x1b[0m") } else { head.to_owned() };
        // Nothing can be reported once standard error is gone.
        let _ = writeln!(stderr(), "{head} {text}");
    }

    /// Says that the command failed, and what may be done about it.
    pub fn error(&self, message: &str, hint: Option<&str>) {
        self.line("1;31", "error:", message);
        if let Some(hint) = hint {
            self.line("1;36", "hint:", hint);
        }
    }

    /// Says something that the user should know.
    pub fn warn(&self, message: &str) {
        if !self.quiet {
            self.line("1;33", "warning:", message);
        }
    }

    /// Says what was done.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            let _ = writeln!(stderr(), "{message}");
        }
    }

    /// Says what only `-v` wants to hear.
    pub fn detail(&self, message: &str) {
        if self.verbose {
            let _ = writeln!(stderr(), "{message}");
        }
    }

    /// Says, with `-v`, what was left out or reinterpreted in a file.
    pub fn file_notes(&self, file: &str, notes: &[Note]) {
        for note in notes {
            self.detail(&format!("{file}: {note}"));
        }
    }

    /// Progress over `total` things; 0 where nobody knows how many there are.
    pub fn progress(&self, what: &'static str, total: u64) -> Progress {
        if !self.progress {
            return Progress::Silent;
        }
        if stderr().is_terminal() {
            let known = (total > 0).then_some(total);
            let bar = ProgressBar::with_draw_target(known, ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template(match known {
                Some(_) => "{msg} {wide_bar} {human_pos}/{human_len} · {per_sec} · {eta} left",
                None => "{msg} {human_pos} · {per_sec}",
            });
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(what);
            Progress::Bar(bar)
        } else {
            let now = Instant::now();
            Progress::Lines(Mutex::new(Lines { what, total, done: 0, start: now, last: now }))
        }
    }
}

/// How often progress is told where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Progress of something that may take longer than two seconds.
pub enum Progress {
    /// Progress is switched off.
    Silent,
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// A line every few seconds.
    Lines(Mutex<Lines>),
}

/// The state of progress told in lines.
pub struct Lines {
    what: &'static str,
    total: u64,
    done: u64,
    start: Instant,
    last: Instant,
}

impl Progress {
    /// `n` more are done.
    pub fn add(&self, n: u64) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => bar.inc(n),
            Self::Lines(lines) => {
                let Ok(mut lines) = lines.lock() else { return };
                lines.done += n;
                if lines.last.elapsed() >= LINE_EVERY {
                    lines.last = Instant::now();
                    let rate = lines.done as f64 / lines.start.elapsed().as_secs_f64();
                    let Lines { what, done, total, .. } = *lines;
                    let left = total.saturating_sub(done) as f64 / rate.max(1e-9);
                    let _ = match total {
                        0 => writeln!(stderr(), "{what} {done} ({rate:.0}/s)"),
                        _ => writeln!(
                            stderr(),
                            "{what} {done}/{total} ({rate:.0}/s, {left:.0} s left)"
                        ),
                    };
                }
            }
        }
    }

    /// All is done: the bar goes away.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
