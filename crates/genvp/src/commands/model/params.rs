//! `genvp model params`.

use std::io::{Write, stdout};

use clap::Args;
use genvp_model::{DeviceChoice, ParameterCount};
use serde_json::json;

use super::load;
use crate::failure::{Answer, Failure};

/// Count the parameters of a preset.
#[derive(Args, Debug)]
#[command(after_help = "\
The parameters are counted in the tensors of a model that is made for it, without running
statistics.

Example:
  genvp model params --preset paper-64")]
pub struct Params {
    /// Preset (see `genvp model list`)
    #[arg(long, value_name = "NAME")]
    preset: String,
    /// Print {\"preset\":..., \"parameters\":N, \"parts\":{...}}
    #[arg(long)]
    json: bool,
}

impl Params {
    pub(super) fn run(&self) -> Result<Answer, Failure> {
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
