//! File and folder names, by which the field's loaders find their way.

use genvp_puzzle::Layout;
use genvp_puzzle::family::families;

use crate::relations::Name;

pub use genvp_puzzle::family::Split;

/// The name of puzzle `index` without its ending: `RAVEN_<k>_<split>`.
pub fn stem(index: u64) -> String {
    format!("RAVEN_{index}_{}", Split::of(index))
}

/// Index and split of a file name without its ending.
pub fn parse_stem(stem: &str) -> Option<(u64, Split)> {
    let (index, split) = stem.strip_prefix("RAVEN_")?.split_once('_')?;
    if !index.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((index.parse().ok()?, Split::parse(split)?))
}

/// The folder of a layout, or of its variant in which all objects of a panel
/// are alike.
pub fn folder(layout: Layout, uniform: bool) -> String {
    format!("{layout}{}", if uniform { "_uniform" } else { "" })
}

/// Layout and variant of a folder name.
pub fn parse_folder(name: &str) -> Option<(Layout, bool)> {
    let (name, uniform) = match name.strip_suffix("_uniform") {
        Some(name) => (name, true),
        None => (name, false),
    };
    Layout::ALL.into_iter().find(|l| l.folder() == name).map(|layout| (layout, uniform))
}

/// Whether a dataset of any family has a folder of this name.
pub(crate) fn is_dataset_folder(name: &str) -> bool {
    let is_stratum = || families().iter().any(|f| f.strata().iter().any(|s| s.name == name));
    parse_folder(name).is_some() || is_stratum()
}

/// Whether a file of any family has this name, without its ending.
pub(crate) fn is_puzzle(stem: &str) -> bool {
    parse_stem(stem).is_some() || Name::parse(stem).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_originals_and_read_back() {
        assert_eq!(stem(0), "RAVEN_0_train");
        assert_eq!(stem(16), "RAVEN_16_val");
        assert_eq!(stem(9_999), "RAVEN_9999_test");
        for index in 0..30 {
            assert_eq!(parse_stem(&stem(index)), Some((index, Split::of(index))));
        }
        for stem in ["RAVEN_0", "RAVEN_x_train", "RAVEN_+1_train", "PGM_0_train", "RAVEN_1_dev"] {
            assert_eq!(parse_stem(stem), None, "{stem}");
        }
        for layout in Layout::ALL {
            for uniform in [false, true] {
                assert_eq!(parse_folder(&folder(layout, uniform)), Some((layout, uniform)));
            }
        }
    }
}
