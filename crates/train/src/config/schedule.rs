//! How the learning rate rises and falls.

use serde::{Deserialize, Serialize};

/// How the learning rate goes on after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleKind {
    /// It stays.
    Constant,
    /// It falls along half a cosine.
    #[default]
    Cosine,
    /// It falls along a straight line.
    Linear,
    /// It stays for four fifths of the steps and then falls along a straight line.
    Trapezoid,
}

/// The learning rate as a function of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// What happens after the warm-up.
    pub kind: ScheduleKind,
    /// The highest rate.
    pub peak: f64,
    /// What is left of it at the end.
    pub final_share: f64,
    /// Steps in which it rises from 0.
    pub warmup_steps: u64,
    /// Steps in all.
    pub steps: u64,
}

impl Schedule {
    /// The learning rate of a step, counted from 0.
    pub fn at(&self, step: u64) -> f64 {
        let rise = ((step + 1) as f64 / self.warmup_steps.max(1) as f64).min(1.0);
        let done = (step as f64 / self.steps.max(1) as f64).min(1.0);
        let left = match self.kind {
            ScheduleKind::Constant => 1.0,
            ScheduleKind::Cosine => 0.5 * (1.0 + (std::f64::consts::PI * done).cos()),
            ScheduleKind::Linear => 1.0 - done,
            ScheduleKind::Trapezoid => ((1.0 - done) / 0.2).min(1.0),
        };
        self.peak * rise * (left * (1.0 - self.final_share) + self.final_share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(kind: ScheduleKind) -> Schedule {
        Schedule { kind, peak: 2e-3, final_share: 0.02, warmup_steps: 10, steps: 1000 }
    }

    #[test]
    fn it_rises_from_nothing_and_ends_at_its_final_share() {
        use ScheduleKind::{Cosine, Linear, Trapezoid};
        for kind in [Cosine, Linear, Trapezoid] {
            let schedule = schedule(kind);
            assert!(schedule.at(0) < 3e-4);
            let highest = (0..1000).map(|s| schedule.at(s)).fold(0.0, f64::max);
            assert!(highest > 1.9e-3 && highest <= 2e-3, "{kind:?} {highest}");
            assert!((schedule.at(1000) - 4e-5).abs() < 1e-9, "{kind:?}");
            assert!((10..1000).all(|s| schedule.at(s + 1) <= schedule.at(s)), "{kind:?}");
        }
        assert_eq!(schedule(ScheduleKind::Constant).at(900), 2e-3);
    }
}
