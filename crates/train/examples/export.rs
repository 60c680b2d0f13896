//! Weights and card of a run's best checkpoint: `cargo run --release -p genvp-train
//! --example export -- RUN OUT.safetensors [puzzles of each layout and set] [PART=RUN]...`
//!
//! `writer=runs/writer` takes that part of the model from another run.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;

use genvp_model::DeviceChoice;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, out, rest @ ..] = arguments.as_slice() else {
        return Err("say which run and where to".into());
    };
    let puzzles = rest.first().map_or(Ok(500), |n| n.parse())?;
    let parts = rest.iter().skip(1).map(|text| {
        let (part, run) = text.split_once('=').ok_or("a part of another run is PART=RUN")?;
        Ok((part.to_owned(), Path::new(run).to_owned()))
    });
    let parts = parts.collect::<Result<Vec<_>, &str>>()?;
    let (device, _) = DeviceChoice::Cpu.open()?;
    let card =
        genvp_train::export::export(Path::new(run), &parts, Path::new(out), puzzles, &device)?;
    println!("{}", serde_json::to_string_pretty(&card)?);
    Ok(())
}
