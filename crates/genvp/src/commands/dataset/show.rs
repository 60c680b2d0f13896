//! `genvp dataset show`: look at puzzles.

use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use genvp_data::{DataError, PuzzleFile, Wanted};
use genvp_draw::{Board, Notes, TerminalStyle, contact_sheet, puzzle, rule_lines_of, terminal};

use crate::console::Console;
use crate::failure::{Answer, Failure};
use crate::picture_file;
use genvp_data::inputs::{self, PuzzleSource, Sources};

/// Draw puzzles in the terminal or to a picture.
#[derive(Args, Debug)]
#[command(after_help = "\
Without --out the puzzles are drawn in the terminal.

Examples:
  genvp dataset show I-RAVEN                          one puzzle of each layout, in the terminal
  genvp dataset show I-RAVEN --out sheet.png          the same as a contact sheet
  genvp dataset show I-RAVEN/distribute_nine/RAVEN_3_train.npz --out puzzle.svg --style clean")]
pub struct Show {
    /// Dataset folders, npz files, archives, or parquet tables
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Puzzles per folder
    #[arg(short, default_value_t = 1)]
    n: usize,
    /// Write a picture (.png or .svg) instead
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the file's pixels, or clean lines from the scene
    #[arg(long, value_enum, default_value = "exact")]
    style: Style,
    /// Puzzles side by side on a contact sheet
    #[arg(long, default_value_t = 4)]
    columns: usize,
    /// Hide the answer and the rules
    #[arg(long)]
    no_answer: bool,
    /// Replace an existing picture
    #[arg(long)]
    force: bool,
}

/// How panels are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// The pixels of the file
    Exact,
    /// Anti-aliased lines from the scene (needs the xml)
    Clean,
}

impl Show {
    /// Draws.
    pub fn run(&self, console: &Console) -> Result<Answer, Failure> {
        let sources = self.chosen(inputs::sources(&self.paths))?;
        if sources.is_empty() {
            let path = self.paths.first().cloned().unwrap_or_default();
            return Err(DataError::NoPuzzles { path, wanted: Wanted::Npz }.into());
        }
        let mut boards = Vec::new();
        for source in &sources {
            let file = source.format()?.whole(source)?;
            boards.push((self.board(&file, &source.path)?, self.notes(&file, source)));
        }
        match &self.out {
            Some(path) => {
                let picture = match boards.as_slice() {
                    [(board, notes)] => puzzle(board, notes),
                    many => contact_sheet("", many, self.columns),
                };
                picture_file::write(path, &picture, self.force)?;
                console.note(&format!("{} puzzles drawn in {}", boards.len(), path.display()));
            }
            None => {
                let mut out = stdout().lock();
                let style =
                    if out.is_terminal() { TerminalStyle::Grey } else { TerminalStyle::Plain };
                let columns = terminal_width();
                for (board, notes) in &boards {
                    writeln!(out, "{}", notes.title)?;
                    write!(out, "{}", terminal(board, notes.answer, columns, style))?;
                    for line in &notes.rules {
                        writeln!(out, "  {line}")?;
                    }
                    writeln!(out)?;
                }
            }
        }
        Ok(Answer::Yes)
    }

    /// The first few of each folder and table; of an archive the first few, because nobody
    /// wants to wait for its end.
    fn chosen(&self, mut sources: Sources) -> Result<Vec<PuzzleSource>, DataError> {
        let mut folder: Option<PathBuf> = None;
        let mut taken = 0;
        let mut chosen = Vec::new();
        while let Some(source) = sources.next().transpose()? {
            let parent = source.path.parent().map(Path::to_owned);
            if parent != folder {
                folder = parent;
                taken = 0;
            }
            let is_file = source.named && !source.is_member();
            if taken < self.n || is_file {
                taken += 1;
                chosen.push(source);
            } else if source.is_member() {
                sources.leave();
            }
        }
        Ok(chosen)
    }

    fn board(&self, file: &PuzzleFile, path: &Path) -> Result<Board, Failure> {
        match (self.style, &file.puzzle) {
            (Style::Exact, _) => picture_file::board(&file.sheet, path),
            (Style::Clean, Some(puzzle)) => match Board::of_scenes(puzzle.as_ref()) {
                Some(board) => Ok(board),
                None => picture_file::board(&puzzle.sheet(), path),
            },
            (Style::Clean, None) if file.contradictions.is_empty() => {
                Err(Failure::bad(format!("{}: no xml beside it", path.display()))
                    .hint("the clean style is drawn from the scene; use --style exact"))
            }
            (Style::Clean, None) => {
                Err(Failure::bad(format!("{}: its xml does not state all rules", path.display())))
            }
        }
    }

    fn notes(&self, file: &PuzzleFile, source: &PuzzleSource) -> Notes {
        let title = source.title();
        if self.no_answer {
            return Notes { title, ..Notes::default() };
        }
        let rules = file.rules.as_deref().map(rule_lines_of).unwrap_or_default();
        Notes { title, answer: file.sheet.target, rules }
    }
}

/// Width of the terminal, as far as it is known.
fn terminal_width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    told.unwrap_or(100)
}
