//! `--device`.

use genvp_model::DeviceChoice;
use genvp_puzzle::Layout;

use crate::command::{genvp_in, refuse, stderr, succeed};
use crate::puzzles::{puzzle, write_npz};

#[test]
fn a_gpu_that_is_not_there_fails_with_a_hint_and_auto_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write_npz(&root.join("p.npz"), &puzzle(Layout::CenterSingle, 0));
    for command in [&["solve", "p.npz"][..], &["rules", "p.npz"], &["train", "--out", "run"]] {
        let args = [command, &["--device", "gpu:99"]].concat();
        let text = refuse(root, &args, 1, "there is no GPU 99");
        assert!(text.contains("hint: "), "{text}");
    }
    assert!(!root.join("run").exists(), "nothing half-written");
    let on_cpu = succeed(root, &["solve", "p.npz", "--device", "cpu", "--json"]);
    if DeviceChoice::Gpu(0).open().is_err() {
        let output = genvp_in(root, &["solve", "p.npz", "-v"]);
        assert!(stderr(&output).contains("using the CPU"), "{}", stderr(&output));
        assert_eq!(succeed(root, &["solve", "p.npz", "--json"]), on_cpu);
        assert!(!stderr(&genvp_in(root, &["solve", "p.npz"])).contains("CPU"));
    }
    if DeviceChoice::Software.open().is_err() {
        let args = ["solve", "p.npz", "--device", "software"];
        let text = refuse(root, &args, 1, "there is no software adapter");
        assert!(text.contains("hint: "), "{text}");
    }
    refuse(root, &["solve", "p.npz", "--device", "tpu"], 2, "`tpu` is no device");
}
