//! `genvp serve`: the toolbox in a browser.

use std::io::{Write, stdout};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::Args;
use genvp_infer::Model;
use genvp_model::DeviceChoice;
use genvp_studio::server::{ServeError, Settings, run};

use crate::console::Console;
use crate::failure::{Answer, Failure};

/// Run the studio: play, make, solve and imagine in a browser.
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub struct Serve {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = parse_address)]
    bind: SocketAddr,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// Folder of training runs to show live
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Models to load (repeatable); the first of each family is its default. Built-in models are
    /// always available; by default each does what it does for the commands
    #[arg(long, value_name = "NAME|PATH")]
    model: Vec<PathBuf>,
}

const MORE: &str = "\
Everything stays on this machine: the page loads nothing from outside, and requests to other
host names or from other pages are refused. With a network address in --bind, everyone who can
reach it can use the studio, without password or encryption. Ctrl-C stops it.

The interface for programs is described at /api/openapi.json.

Examples:
  genvp serve
  genvp serve --open
  genvp serve --bind 127.0.0.1:0 --runs runs
  genvp serve --model raven-cpu-64 --model weights/pgm-64-cpu.safetensors";

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(&self, console: &Console, device: DeviceChoice) -> Result<Answer, Failure> {
        if let Some(runs) = self.runs.as_ref().filter(|runs| !runs.is_dir()) {
            return Err(Failure::bad(format!("{}: not a folder", runs.display())));
        }
        let device = crate::device::open(device, console)?;
        let models = self
            .model
            .iter()
            .map(|name| Model::open(name, &device))
            .collect::<Result<Vec<_>, _>>()?;
        let settings = Settings { runs: self.runs.clone(), models, ..Settings::new(self.bind) };
        if !self.bind.ip().is_loopback() {
            console.warn(
                "others can reach this address: whoever can, uses the studio without a password, unencrypted, and sees the runs that it shows",
            );
        }
        let ready = |address: SocketAddr| {
            let page = format!("http://{address}/");
            // Whoever closed standard output does not want to know.
            let _ = writeln!(stdout(), "{page}");
            let _ = stdout().flush();
            console.note("the studio is at this address; Ctrl-C ends it");
            if self.open {
                open_in_browser(&page, console);
            }
        };
        match run(settings, device, None, ready) {
            Ok(()) => Ok(Answer::Yes),
            Err(error @ ServeError::Bind { .. }) => Err(Failure::bad(error.to_string())
                .hint("name another address or port with --bind, such as 127.0.0.1:0")),
            Err(error) => Err(Failure::system(error.to_string())),
        }
    }
}

fn open_in_browser(page: &str, console: &Console) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if std::process::Command::new(program).arg(page).spawn().is_err() {
        console.warn(&format!("cannot open a browser: {program} does not start"));
    }
}

/// An address by number, or `localhost:8080`.
fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let wrong = || format!("`{text}` is not an address: write 127.0.0.1:8080");
    let mut found = text.to_socket_addrs().map_err(|_| wrong())?;
    found.next().ok_or_else(wrong)
}
