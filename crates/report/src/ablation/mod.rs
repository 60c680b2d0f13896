//! Which models are trained for the ablations: the lines of a table differ in one
//! thing, and the table says in which.

mod groups;
mod settings;
mod trials;

use crate::paper::Paper;

pub use groups::GROUPS;
pub use settings::{Budget, SMALL_PUZZLES};
pub use trials::TRIALS;

/// A table: models that differ in one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name, by which it is asked for.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What its lines differ in.
    varies: &'static str,
    /// The settings that this consists of.
    pub keys: &'static [&'static str],
    /// Both for its full models, where they differ in more.
    full: Option<(&'static str, &'static [&'static str])>,
    /// What is to be said about its small models.
    pub small: &'static str,
    /// What its small models share beyond the common settings.
    shares: &'static [&'static str],
}

/// One model to train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The table it stands in.
    pub group: Group,
    /// Its name, by which it is asked for.
    pub name: &'static str,
    /// What is different about it.
    pub about: &'static str,
    /// What is set in the small version, over what its group shares.
    pub small: &'static [&'static str],
    /// The preset of the full version, and what is set in it.
    pub full: (&'static str, &'static [&'static str]),
    /// Where the paper's figure stands: what and condition.
    pub printed: Option<(&'static str, &'static str)>,
}

impl Group {
    /// What its lines differ in.
    pub fn differs_in(&self, full: bool) -> &'static str {
        self.full.filter(|_| full).map_or(self.varies, |(varies, _)| varies)
    }

    /// The trials that are its lines.
    pub fn trials(&self) -> impl Iterator<Item = &'static Trial> {
        let name = self.name;
        TRIALS.iter().filter(move |trial| trial.group.name == name)
    }
}

impl Trial {
    /// The paper's accuracy on RAVEN, and its place.
    pub fn paper(&self) -> Option<(f64, String)> {
        let (what, condition) = self.printed?;
        let paper = Paper::get();
        if let Some(row) = paper.row(what, Some(condition), "raven", "GenVP") {
            return Some((row.average?, row.place.clone()));
        }
        let number = paper.number(what, condition, Some("raven"), "GenVP")?;
        Some((number.value, number.place.clone()))
    }

    /// The trial of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TRIALS.iter().find(|trial| trial.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use genvp_train::RunConfig;
    use genvp_train::feed::Supervision;

    const SMALL: Budget = Budget::Small { puzzles: SMALL_PUZZLES };

    #[test]
    fn every_trial_can_be_trained_small_and_full() {
        for trial in &TRIALS {
            for budget in [SMALL, Budget::Full] {
                let config = trial.settings(budget);
                let config = config.unwrap_or_else(|error| panic!("{}: {error}", trial.name));
                config.check().unwrap_or_else(|error| panic!("{}: {error}", trial.name));
            }
            assert_eq!(trial.printed.is_some(), trial.paper().is_some(), "{}", trial.name);
            assert!(GROUPS.contains(&trial.group), "{}", trial.name);
            assert_eq!(Trial::named(trial.name), Some(trial), "a name is used once");
        }
        assert!(GROUPS.iter().all(|group| group.trials().count() > 1));
    }

    /// The settings in which two lines differ.
    fn differing(one: &RunConfig, other: &RunConfig) -> BTreeSet<String> {
        let (one, other) = (one.flat(), other.flat());
        let names = one.keys().chain(other.keys());
        names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
    }

    fn belongs(name: &str, key: &str) -> bool {
        name == key || name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))
    }

    #[test]
    fn the_lines_of_a_small_table_differ_in_what_they_say_and_in_nothing_else() {
        for group in &GROUPS {
            let shared = group.small_base(SMALL_PUZZLES).unwrap();
            for trial in group.trials() {
                let own = trial.settings(SMALL).unwrap();
                let found = differing(&own, &shared);
                let said: Vec<&str> =
                    trial.small.iter().filter_map(|text| text.split('=').next()).collect();
                for name in &found {
                    assert!(said.iter().any(|key| belongs(name, key)), "{}: {name}", trial.name);
                }
                for key in said {
                    assert!(found.iter().any(|name| belongs(name, key)), "{}: {key}", trial.name);
                    assert!(
                        group.keys.iter().any(|own| belongs(key, own)),
                        "{}: {key}",
                        trial.name
                    );
                }
                for other in group.trials().filter(|other| other.name != trial.name) {
                    let found = differing(&own, &other.settings(SMALL).unwrap());
                    assert!(!found.is_empty(), "{} is {}", trial.name, other.name);
                }
            }
        }
    }

    #[test]
    fn what_comes_with_the_side_of_the_panels_is_said() {
        let sizes = GROUPS.iter().find(|group| group.name == "sizes").unwrap();
        for full in [false, true] {
            assert!(sizes.differs_in(full).contains("L_rec weighs"), "{full}");
        }
    }

    #[test]
    fn the_lines_of_a_full_table_differ_in_what_the_table_says() {
        for group in &GROUPS {
            let keys = group.full.map_or(group.keys, |(_, keys)| keys);
            let lines: Vec<_> =
                group.trials().map(|trial| trial.settings(Budget::Full).unwrap()).collect();
            for (index, one) in lines.iter().enumerate() {
                for other in &lines[..index] {
                    let mut found = differing(one, other);
                    found.remove("preset");
                    assert!(!found.is_empty(), "{}", group.name);
                    for name in found {
                        assert!(
                            keys.iter().any(|key| belongs(&name, key)),
                            "{}: {name}",
                            group.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_trial_is_told_values_and_the_rule_free_one_no_labels() {
        for trial in &TRIALS {
            for budget in [SMALL, Budget::Full] {
                let config = trial.settings(budget).unwrap();
                let wanted = match trial.name {
                    "rule-free" => Supervision::Answers,
                    _ => Supervision::Rules,
                };
                assert_eq!(config.supervision(), wanted, "{}", trial.name);
                assert_eq!(config.feed_shape().supervision, wanted, "{}", trial.name);
                assert!(config.train.loss.weights.reconstruction > 0.0, "{}", trial.name);
            }
        }
    }
}
