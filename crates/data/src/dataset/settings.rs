//! What a dataset writer needs to know of the settings of any family.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Shard;

/// The settings of a dataset, from which every byte follows.
pub trait Settings: Serialize + DeserializeOwned + Clone {
    /// The folders of puzzles, in order.
    fn folders(&self) -> Vec<String>;

    /// Puzzles of each folder, over all shards.
    fn count(&self) -> u64;

    /// Which part of the dataset this is, where it is made in parts.
    fn shard(&self) -> Option<Shard>;

    /// Every setting that differs, shards aside; empty when none does.
    fn differences(&self, then: &Self) -> String;

    /// Why no dataset can have these settings.
    fn problem(&self) -> Option<&'static str> {
        None
    }

    /// The indices of each folder that this shard makes, ascending.
    fn own_indices(&self) -> impl Iterator<Item = u64> + use<Self> {
        Shard::indices(self.shard(), self.count())
    }

    /// How many puzzles of each folder this shard makes.
    fn own_count(&self) -> u64 {
        Shard::share(self.shard(), self.count())
    }

    /// Where an index stands among those that this shard makes.
    fn place(&self, index: u64) -> Option<u64> {
        Shard::place(self.shard(), self.count(), index)
    }

    /// What shards put behind the names of their own files: `-1-of-4`.
    fn suffix(&self) -> String {
        self.shard().map(Shard::suffix).unwrap_or_default()
    }
}

/// Every setting of two lists of names and values that differs, in words.
pub(crate) fn differences<const N: usize>(
    names: [&str; N],
    then: [String; N],
    now: [String; N],
) -> String {
    let both = names.into_iter().zip(then.into_iter().zip(now));
    let differing = both.filter(|(_, (then, now))| then != now);
    let words = differing.map(|(name, (then, now))| format!("{name} {then} then, {now} now"));
    words.collect::<Vec<_>>().join("; ")
}
