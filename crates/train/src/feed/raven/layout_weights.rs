//! How often each layout is used.

use std::fmt;
use std::sync::LazyLock;

use genvp_puzzle::Layout;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const LAYOUTS: usize = Layout::ALL.len();

/// The layouts by the names under which settings know them.
static NAMES: LazyLock<[&str; LAYOUTS]> = LazyLock::new(|| Layout::ALL.map(Layout::short));

/// How often each layout is used. In settings a table of weights by the paper's short names,
/// in which those that are not named have the weight 1.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutWeights([f32; LAYOUTS]);

impl Default for LayoutWeights {
    fn default() -> Self {
        Self::only(&Layout::ALL)
    }
}

impl LayoutWeights {
    /// These layouts equally often, the others never.
    pub fn only(layouts: &[Layout]) -> Self {
        Self(Layout::ALL.map(|layout| f32::from(u8::from(layouts.contains(&layout)))))
    }

    /// The same with another weight for one layout.
    pub fn with(mut self, layout: Layout, weight: f32) -> Self {
        self.0[layout.index()] = weight;
        self
    }

    /// The weight of a layout.
    pub fn of(&self, layout: Layout) -> f32 {
        self.0[layout.index()]
    }

    /// Every layout with its weight, in the order of [`Layout::ALL`].
    pub fn weights(&self) -> [(Layout, f32); LAYOUTS] {
        Layout::ALL.map(|layout| (layout, self.of(layout)))
    }

    /// The layouts that are used at all.
    pub fn used(&self) -> Vec<Layout> {
        self.weights().into_iter().filter(|&(_, w)| w > 0.0).map(|(layout, _)| layout).collect()
    }
}

impl Serialize for LayoutWeights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.weights().map(|(layout, weight)| (layout.short(), weight)))
    }
}

impl<'de> Deserialize<'de> for LayoutWeights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("LayoutWeights", NAMES.as_slice(), ByName)
    }
}

struct ByName;

impl<'de> Visitor<'de> for ByName {
    type Value = LayoutWeights;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct LayoutWeights")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LayoutWeights, A::Error> {
        let mut weights = LayoutWeights::default();
        let mut named = [false; LAYOUTS];
        while let Some(name) = map.next_key::<String>()? {
            let place = NAMES.iter().position(|known| *known == name);
            let place = place.ok_or_else(|| A::Error::unknown_field(&name, NAMES.as_slice()))?;
            if std::mem::replace(&mut named[place], true) {
                return Err(A::Error::duplicate_field(NAMES[place]));
            }
            weights.0[place] = map.next_value()?;
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_name_every_layout_in_order_and_survive_the_file() {
        let weights = LayoutWeights::only(&[Layout::LeftRight]).with(Layout::OutInGrid, 2.5);
        let text = toml::to_string(&weights).unwrap();
        let wanted =
            "c-s = 0.0\n2x2 = 0.0\n3x3 = 0.0\nl-r = 1.0\nu-d = 0.0\no-ic = 0.0\no-ig = 2.5\n";
        assert_eq!(text, wanted);
        assert_eq!(toml::from_str::<LayoutWeights>(&text).unwrap(), weights);
        assert_eq!(weights.used(), [Layout::LeftRight, Layout::OutInGrid]);
    }

    #[test]
    fn layouts_that_are_not_named_have_the_weight_1() {
        let read: LayoutWeights = toml::from_str("o-ic = 0\n2x2 = 3.5").unwrap();
        let wanted = LayoutWeights::default().with(Layout::OutInCenter, 0.0);
        assert_eq!(read, wanted.with(Layout::DistributeFour, 3.5));
    }

    #[test]
    fn what_is_no_layout_no_weight_or_there_twice_is_refused() {
        let refused = |json: &str| serde_json::from_str::<LayoutWeights>(json).unwrap_err();
        let error = refused(r#"{"4x4": 1.0}"#).to_string();
        let wanted = "unknown field `4x4`, expected one of `c-s`, `2x2`, `3x3`, `l-r`, `u-d`, `o-ic`, `o-ig`";
        assert!(error.starts_with(wanted), "{error}");
        let error = refused(r#"{"c-s": 1.0, "c-s": 2.0}"#).to_string();
        assert!(error.starts_with("duplicate field `c-s`"), "{error}");
        let error = refused(r#"{"c-s": "often"}"#).to_string();
        assert!(error.starts_with("invalid type: string \"often\", expected f32"), "{error}");
        let error = refused("3").to_string();
        assert!(error.contains("expected struct LayoutWeights"), "{error}");
    }
}
