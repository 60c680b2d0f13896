//! `genvp model`: what models there are, and how large they are.

use std::io::{Write, stdout};

use clap::{Args, Subcommand};
use genvp_model::{DeviceChoice, ParameterCount, Preset, preset};
use serde_json::json;

use crate::failure::{Answer, Failure};

/// What to say about models.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The presets: named settings of model and training
    List(List),
    /// How many parameters a preset has, in all and by part
    Params(Params),
}

/// List the presets.
#[derive(Args, Debug)]
pub struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Count the parameters of a preset.
#[derive(Args, Debug)]
#[command(after_help = "\
The parameters are counted in the tensors of a model that is made for it, without running statistics.

Example:
  genvp model params --preset paper-64")]
pub struct Params {
    /// Which preset
    #[arg(long, value_name = "NAME")]
    preset: String,
    /// Print {\"preset\":..., \"parameters\":N, \"parts\":{...}}
    #[arg(long)]
    json: bool,
}

/// Runs a model command.
pub fn run(command: Command) -> Result<Answer, Failure> {
    match command {
        Command::List(list) => list.run(),
        Command::Params(params) => params.run(),
    }
}

fn load(name: &str) -> Result<Preset, Failure> {
    Preset::named(name).map_err(|error| {
        Failure::bad(error.to_string()).hint(format!("known are {}", preset::names().join(", ")))
    })
}

impl List {
    fn run(&self) -> Result<Answer, Failure> {
        let presets: Vec<Preset> =
            preset::names().into_iter().map(load).collect::<Result<_, _>>()?;
        let mut out = stdout().lock();
        if self.json {
            let list: Vec<_> =
                presets.iter().map(|p| json!({ "preset": p.name, "about": p.about })).collect();
            writeln!(out, "{}", json!(list))?;
        } else {
            for preset in presets {
                writeln!(out, "{:<16} {}", preset.name, preset.about)?;
            }
        }
        Ok(Answer::Yes)
    }
}

impl Params {
    fn run(&self) -> Result<Answer, Failure> {
        let preset = load(&self.preset)?;
        let failed = |error: String| Failure::system(error);
        let (device, _) = DeviceChoice::Cpu.open().map_err(|e| failed(e.to_string()))?;
        let model = preset.model.init(&device).map_err(|e| failed(e.to_string()))?;
        let ParameterCount { parameters, parts } = model.count_parameters();
        let mut out = stdout().lock();
        if self.json {
            let report = json!({ "preset": preset.name, "parameters": parameters, "parts": parts });
            writeln!(out, "{report}")?;
        } else {
            writeln!(out, "{:<28} {:>12}", preset.name, grouped(parameters))?;
            for (part, count) in parts {
                writeln!(out, "  {part:<26} {:>12}", grouped(count))?;
            }
        }
        Ok(Answer::Yes)
    }
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 999, 1000, 8_879_877].map(grouped), ["7", "999", "1,000", "8,879,877"]);
    }
}
