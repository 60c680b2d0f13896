//! The originals' puzzles, where they are at hand: pixels and true scenes.

use std::io::Read;
use std::path::{Path, PathBuf};

use genvp_puzzle::{Entity, Layout, Panel, Part};

/// The folder of the originals' puzzles; says so and gives nothing when it is
/// not there.
pub fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("GENVP_ORIGINALS").map_or_else(
        || {
            let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            // Also from a second working tree, which lies one folder deeper.
            ["../shared", "../../shared"]
                .map(|shared| workspace.join(shared).join("data/raven-originals"))
                .into_iter()
                .find(|path| path.is_dir())
        },
        |path| Some(PathBuf::from(path)),
    );
    if root.is_none() {
        println!("skipped: the originals' puzzles are not here (set GENVP_ORIGINALS)");
    }
    root
}

/// One puzzle of the originals.
pub struct Original {
    pub name: String,
    pub layout: Layout,
    /// Sixteen panels of 160x160 grey bytes.
    pub image: Vec<u8>,
    /// Their true scenes.
    pub panels: Vec<Panel>,
}

impl Original {
    /// All 630, set by set and layout by layout.
    pub fn all(root: &Path) -> impl Iterator<Item = Self> {
        let cases = ["RAVEN", "I-RAVEN", "RAVEN-F"]
            .into_iter()
            .flat_map(|set| Layout::ALL.into_iter().map(move |layout| (set, layout)));
        cases.flat_map(move |(set, layout)| {
            let truth = root.join(format!("truth/{set}/{layout}.jsonl"));
            let truth = std::fs::read_to_string(truth).unwrap();
            let folder = root.join(set).join(layout.folder());
            let puzzles: Vec<Self> = truth
                .lines()
                .enumerate()
                .map(|(k, line)| {
                    let split = ["train", "val", "test"][[0, 0, 0, 0, 0, 0, 1, 1, 2, 2][k % 10]];
                    let name = format!("RAVEN_{k}_{split}.npz");
                    let image = image_of_npz(&std::fs::read(folder.join(&name)).unwrap());
                    let truth: serde_json::Value = serde_json::from_str(line).unwrap();
                    let panels = truth["panels"].as_array().unwrap().iter().map(panel_of_json);
                    let panels = panels.collect();
                    Self { name: format!("{set}/{layout}/{name}"), layout, image, panels }
                })
                .collect();
            puzzles
        })
    }
}

fn panel_of_json(panel: &serde_json::Value) -> Panel {
    let level = |v: &serde_json::Value| u8::try_from(v.as_u64().unwrap()).unwrap();
    let parts = panel.as_array().unwrap().iter().map(|part| {
        let slots = part["pos"].as_array().unwrap();
        let levels = part["ent"].as_array().unwrap();
        let entities = slots.iter().zip(levels).map(|(slot, levels)| Entity {
            slot: level(slot),
            shape: level(&levels[0]),
            size: level(&levels[1]),
            color: level(&levels[2]),
            angle: level(&levels[3]),
        });
        Part { entities: entities.collect() }
    });
    Panel { parts: parts.collect() }
}

/// Reads the scene of a line of `fixtures/render/panels.txt`.
#[allow(dead_code, reason = "not every test binary reads the committed scenes")]
pub fn panel_of_text(text: &str) -> Panel {
    let parts = text.split('|').map(|part| {
        let entities = part.split(' ').map(|entity| {
            let levels: Vec<u8> =
                entity.split([':', ',']).map(|level| level.parse().unwrap()).collect();
            let [slot, shape, size, color, angle] = levels[..] else { panic!("{text}") };
            Entity { slot, shape, size, color, angle }
        });
        Part { entities: entities.collect() }
    });
    Panel { parts: parts.collect() }
}

/// The pixels of the `image` member: just enough of zip and npy for files that
/// are known to be sound.
fn image_of_npz(bytes: &[u8]) -> Vec<u8> {
    let header = bytes
        .windows(39)
        .position(|w| w.starts_with(b"PK\x03\x04") && w.ends_with(b"image.npy"))
        .unwrap();
    let field = |at: usize| u16::from_le_bytes([bytes[header + at], bytes[header + at + 1]]);
    let (method, extra) = (field(8), usize::from(field(28)));
    let data = &bytes[header + 39 + extra..];
    let mut npy = Vec::new();
    if method == 0 {
        npy.extend_from_slice(&data[..data.len().min(410_000)]);
    } else {
        flate2::read::DeflateDecoder::new(data).read_to_end(&mut npy).unwrap();
    }
    let start = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    npy[start..start + 16 * 160 * 160].to_vec()
}

/// Lower-case hexadecimal digits.
#[allow(dead_code, reason = "not every test binary prints hashes")]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
