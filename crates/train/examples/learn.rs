//! A run without the command line tool: `cargo run --release -p genvp-train
//! --example learn -- OUT [minutes=3] [resume] [preset=cpu-64] [a.b=value]...`
//!
//! Prints where the time of a step goes and one line for each examination.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use genvp_model::DeviceChoice;
use genvp_train::metrics::Steps;
use genvp_train::{RunConfig, RunOptions, StepReport, StepTimes, TrainCallback, Validation, run};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Default)]
struct Printer {
    times: StepTimes,
    steps: u32,
}

impl TrainCallback for Printer {
    fn stepped(&mut self, report: &StepReport) {
        if let Some(skip) = &report.skipped {
            println!("step {}: skipped: {skip}", report.step);
        }
        let (sum, own) = (&mut self.times, &report.times);
        sum.load += own.load;
        sum.forward += own.forward;
        sum.backward += own.backward;
        sum.update += own.update;
        self.steps += 1;
    }

    fn measured(&mut self, steps: &Steps) {
        let ms = |time: Duration| time.as_secs_f64() * 1e3 / f64::from(self.steps.max(1));
        let t = std::mem::take(&mut self.times);
        let terms: Vec<String> =
            steps.loss.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
        println!(
            "{:6.0} s {:7} puzzles {:5.1}/s wait {:4.1} % | load {:.1} forward {:.0} backward {:.0} update {:.1} ms | norm {:.0} | {}",
            steps.seconds,
            steps.puzzles,
            steps.puzzles_per_second,
            steps.waiting_percent,
            ms(t.load),
            ms(t.forward),
            ms(t.backward),
            ms(t.update),
            steps.gradient_norm,
            terms.join(" ")
        );
        self.steps = 0;
    }

    fn examined(&mut self, step: u64, v: &Validation, is_best: bool) {
        let layouts: Vec<String> = v
            .layouts
            .iter()
            .map(|(l, r)| format!("{l} {:.0}/{:.0}", r.iraven.percent, r.raven.percent))
            .collect();
        println!(
            "== step {step}: I-RAVEN {:.1} (vote {:.1}) RAVEN {:.1} (vote {:.1}) rules {:.2} sse {:.1} kl {:.2}{} | {}",
            v.iraven,
            v.majority_iraven,
            v.raven,
            v.majority_raven,
            v.rules,
            v.squared_error,
            v.kl_irrelevant,
            if is_best { " best" } else { "" },
            layouts.join(" ")
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments
        .next()
        .ok_or("say where: learn OUT [minutes=3] [resume] [preset=cpu-64] [a.b=value]...")?;
    let (device, note) = DeviceChoice::Cpu.open()?;
    println!("{}", note.unwrap_or_default());
    let mut options = RunOptions::new(Path::new(&out), device);
    let rest: Vec<String> = arguments.collect();
    let preset = rest.iter().find_map(|a| a.strip_prefix("preset=")).unwrap_or("cpu-64");
    let mut config = RunConfig::preset(preset)?;
    for argument in &rest {
        match argument.split_once('=') {
            None if argument == "resume" => options.resume = true,
            Some(("minutes", m)) => {
                options.time = Some(Duration::from_secs_f64(60.0 * m.parse::<f64>()?))
            }
            Some(("init_from", path)) => options.init_from = Some(path.into()),
            Some(("preset", _)) => {}
            _ => config = config.with_setting(argument)?,
        }
    }
    let outcome = run(&config, &options, &mut Printer::default())?;
    println!("{outcome:?}");
    Ok(())
}
