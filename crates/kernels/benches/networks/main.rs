//! Training step and encoding of two networks, beside PyTorch if asked.
//!
//! `cargo bench -p genvp-kernels -- [--net S|L] [--rounds N] [--steps N] [--torch PYTHON]`
//!
//! Every measurement runs in a process of its own (for its peak memory), ours
//! and PyTorch's in turn, best of all rounds.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

mod vae;

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Instant;

use burn::tensor::{Device, Distribution, Tensor};
use genvp_kernels::parameter_count;
use serde_json::{Value, json};
use vae::Net;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Panels of the encoding measurement.
const ENCODED: usize = 800;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| {
        let at = args.iter().position(|arg| arg == flag)?;
        args.get(at + 1).cloned()
    };
    let number = |flag: &str, or: usize| value(flag).and_then(|v| v.parse().ok()).unwrap_or(or);
    let nets: Vec<Net> = [Net::Small, Net::Large]
        .into_iter()
        .filter(|net| value("--net").is_none_or(|name| name == net.name()))
        .collect();
    let steps = number("--steps", 6);
    if args.iter().any(|arg| arg == "--child") {
        for net in nets {
            println!("{}", measure(net, steps));
        }
        return;
    }
    for net in nets {
        compare(net, number("--rounds", 2), steps, value("--torch").as_deref());
    }
}

/// Measures one network in this process.
fn measure(net: Net, steps: usize) -> Value {
    let device = Device::flex();
    let mut training = vae::training(net, &device.clone().autodiff());
    let step = best(steps, || {
        training.step();
    });
    let network = training.network();
    let panels = Tensor::random([ENCODED, 64, 64, 1], Distribution::Uniform(0.0, 1.0), &device);
    let encode = best(steps, || {
        std::hint::black_box(network.encode(panels.clone()));
    });
    let rss_mb = peak_mb();
    let gemm = gemm_time(steps);
    let rate = |gflop: f64, ms: f64| gflop / ms * 1e3;
    json!({
        "mode": "genvp",
        "parameters": parameter_count(&network),
        "step_ms": step.wall,
        "encode_ms": encode.wall,
        "rss_mb": rss_mb,
        "gemm": rate(GEMM_GFLOP, gemm.wall),
        "step_rate": rate(net.step_gflop(), step.wall),
        "encode_rate": rate(net.encode_gflop(ENCODED), encode.wall),
        "step_cpu_ms": step.cpu,
        "encode_cpu_ms": encode.cpu,
        "step_cpu_share": rate(net.step_gflop(), step.cpu) / rate(GEMM_GFLOP, gemm.cpu),
        "encode_cpu_share": rate(net.encode_gflop(ENCODED), encode.cpu) / rate(GEMM_GFLOP, gemm.cpu),
    })
}

/// Best time by the clock and mean time of the processors, in ms.
struct Time {
    wall: f64,
    cpu: f64,
}

/// Times `count` runs after two to warm up.
fn best(count: usize, mut run: impl FnMut()) -> Time {
    run();
    run();
    let cpu = cpu_ms();
    let times = (0..count).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e3
    });
    let wall = times.fold(f64::INFINITY, f64::min);
    Time { wall, cpu: (cpu_ms() - cpu) / count as f64 }
}

/// Peak memory of this process.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(f64::NAN) / 1024.0
}

/// Processor time of this process, all threads: tells more than the clock on a busy machine.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|f| f.parse::<f64>().ok()).sum();
    ticks * 10.0
}

/// Side of the matrices of the reference product.
const GEMM: usize = 2048;

/// Billion floating-point operations of the reference product.
const GEMM_GFLOP: f64 = 2.0 * (GEMM * GEMM * GEMM) as f64 / 1e9;

/// A large f32 product by the `gemm` crate on all threads.
fn gemm_time(count: usize) -> Time {
    let (a, b) = (vec![0.5f32; GEMM * GEMM], vec![0.25f32; GEMM * GEMM]);
    let mut c = vec![0f32; GEMM * GEMM];
    let (n, ld) = (GEMM, GEMM as isize);
    best(2 * count, || {
        // SAFETY: three dense matrices of n x n.
        #[allow(unsafe_code)]
        unsafe {
            gemm::gemm(
                n,
                n,
                n,
                c.as_mut_ptr(),
                1,
                ld,
                false,
                a.as_ptr(),
                1,
                ld,
                b.as_ptr(),
                1,
                ld,
                0.0,
                1.0,
                false,
                false,
                false,
                gemm::Parallelism::Rayon(0),
            );
        }
    })
}

/// Runs us and PyTorch in turn and prints the table.
fn compare(net: Net, rounds: usize, steps: usize, python: Option<&str>) {
    let results = measure_all(net, rounds, steps, python);
    let counts: BTreeSet<u64> =
        results.iter().filter_map(|result| result["parameters"].as_u64()).collect();
    assert!(counts.len() < 2, "networks of {counts:?} parameters cannot be compared");
    let (encoded, decoded) = net.batch();
    println!(
        "\nnetwork {}: {encoded} panels encoded, {decoded} decoded a step, {} threads, {counts:?} parameters",
        net.name(),
        rayon::current_num_threads()
    );
    print_table(&results);
}

/// The results of us and of PyTorch's modes, one of each a round.
fn measure_all(net: Net, rounds: usize, steps: usize, python: Option<&str>) -> Vec<Value> {
    let own = std::env::current_exe().expect("a running program has a path");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/bench_torch.py");
    let (steps, threads) = (steps.to_string(), rayon::current_num_threads().to_string());
    let mut results: Vec<Value> = Vec::new();
    for _ in 0..rounds {
        let mut ours = Command::new(&own);
        ours.args(["--child", "--net", net.name(), "--steps", &steps]);
        // Memory that was freed is wanted again in the next step: keep it.
        ours.env("MIMALLOC_PURGE_DELAY", "-1");
        results.extend(run(&mut ours));
        for mode in ["eager", "channels_last", "compiled"] {
            if let Some(python) = python {
                let mut theirs = Command::new(python);
                theirs.args([script, net.name(), mode, "--threads", &threads, "--steps", &steps]);
                results.extend(run(&mut theirs));
            }
        }
    }
    results
}

/// The best of each mode, and how ours stand to PyTorch's.
fn print_table(results: &[Value]) {
    println!(
        "{:<16}{:>10}{:>12}{:>10}{:>20}{:>14}",
        "", "step ms", "encode ms", "peak MB", "cpu ms step/encode", "product"
    );
    let least = |mode: &str, field: &str| {
        let of_mode = results.iter().filter(|r| r["mode"] == mode);
        of_mode.filter_map(|r| r[field].as_f64()).fold(f64::INFINITY, f64::min)
    };
    let most = |mode: &str, field: &str| {
        let of_mode = results.iter().filter(|r| r["mode"] == mode);
        of_mode.filter_map(|r| r[field].as_f64()).fold(0.0, f64::max)
    };
    let fields = ["step_ms", "encode_ms", "rss_mb"];
    let mut rival = [f64::INFINITY; 3];
    for mode in ["genvp", "eager", "channels_last", "compiled"] {
        let [step, encode, rss] = fields.map(|field| least(mode, field));
        if step.is_finite() {
            let gemm = most(mode, "gemm");
            let cpu = ["step_cpu_ms", "encode_cpu_ms"].map(|field| least(mode, field));
            let cpu = format!("{:.0} / {:.0}", cpu[0], cpu[1]);
            println!("{mode:<16}{step:>10.1}{encode:>12.1}{rss:>10.0}{cpu:>20}{gemm:>9.0} GF/s");
        }
        if mode != "genvp" {
            rival = [rival[0].min(step), rival[1].min(encode), rival[2].min(rss)];
        }
    }
    let gemm = most("genvp", "gemm");
    println!(
        "share of the product's rate: step {:.0} %, encode {:.0} % (by processor time {:.0} %, {:.0} %)",
        100.0 * most("genvp", "step_rate") / gemm,
        100.0 * most("genvp", "encode_rate") / gemm,
        100.0 * most("genvp", "step_cpu_share"),
        100.0 * most("genvp", "encode_cpu_share"),
    );
    if rival[0].is_finite() {
        let [step, encode, rss] = fields.map(|field| least("genvp", field));
        println!(
            "against PyTorch's best: step {:.2}x, encode {:.2}x, peak memory {:.2}x",
            step / rival[0],
            encode / rival[1],
            rss / rival[2]
        );
    }
}

/// The last line a measurement prints, as JSON.
fn run(command: &mut Command) -> Option<Value> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.lines().last().and_then(|line| serde_json::from_str(line).ok());
    if result.is_none() {
        eprintln!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    } else {
        eprintln!("{}", text.trim());
    }
    result
}
