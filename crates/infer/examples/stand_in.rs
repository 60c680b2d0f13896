//! Weights of an untrained model, sealed, to stand in where trained ones are not
//! there yet: `cargo run -p genvp-infer --no-default-features --example stand_in -- PRESET SEED OUT.safetensors`

#![allow(clippy::print_stdout, reason = "a program that reports to the terminal")]

use std::error::Error;
use std::path::Path;

use genvp_infer::seal;
use genvp_model::{DeviceChoice, Preset};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [preset, seed, out] = arguments.as_slice() else {
        return Err("say which preset, which seed, and where to".into());
    };
    let (device, _) = DeviceChoice::Cpu.open()?;
    let model = Preset::named(preset)?.model.init_seeded(seed.parse()?, &device)?;
    let card = serde_json::json!({
        "preset": preset,
        "parameters": model.count_parameters().parameters,
        "about": "untrained: a stand-in for trained weights",
    });
    let bytes = seal::seal(&model.to_bytes(card)?)?;
    genvp_data::write_file(Path::new(out), &bytes, true)?;
    println!("{out}: {} bytes", bytes.len());
    Ok(())
}
