//! What the first command has to compile: a crate that comes in unnoticed costs
//! everybody who clones the project minutes.

use std::collections::BTreeSet;
use std::process::Command;

/// Crates that are there in two versions because crates that we need want them so.
const TWICE: [&str; 7] =
    ["darling", "darling_core", "darling_macro", "getrandom", "hashbrown", "miniz_oxide", "syn"];

/// Crates that once were there and took long to compile, each with what we do without it.
const GONE: [(&str, &str); 3] = [
    ("krilla", "pages of shapes and whole fonts need no more than pdf-writer"),
    ("write-fonts", "fonts travel whole"),
    ("rustybuzz", "letters stand where the engine's own widths put them"),
];

/// Names and versions of what is compiled for the `genvp` command.
fn packages() -> BTreeSet<(String, String)> {
    let args =
        ["tree", "--locked", "-p", "genvp", "-e", "normal,build", "--prefix", "none", "-f", "{p}"];
    let tree = Command::new(env!("CARGO"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).expect("text");
    let mut packages = BTreeSet::new();
    for line in lines.lines() {
        if let [name, version, ..] = line.split(' ').collect::<Vec<_>>()[..] {
            packages.insert((name.to_owned(), version.to_owned()));
        }
    }
    packages
}

#[test]
fn no_crate_is_compiled_twice_unnoticed() {
    let packages = packages();
    assert!(packages.iter().any(|(name, _)| name == "burn-flex"), "{packages:?}");
    let mut seen = BTreeSet::new();
    let twice: BTreeSet<&str> =
        packages.iter().map(|(name, _)| name.as_str()).filter(|name| !seen.insert(*name)).collect();
    let unexpected: Vec<_> = twice.iter().filter(|name| !TWICE.contains(name)).collect();
    assert!(unexpected.is_empty(), "compiled in two versions: {unexpected:?}");
    for (name, instead) in GONE {
        assert!(!packages.iter().any(|(found, _)| found == name), "{name} is back: {instead}");
    }
}
