//! Puzzles on their way to the model: made on threads of their own, some
//! batches ahead, in an order that depends on nothing but the seed.

mod config;
mod epochs;
mod example;
mod raven;
mod regimes;
mod self_labelled;
mod stored_relations;
mod supervision;
mod warp;

pub use config::{FeedConfig, SetWeights};
pub use example::ExampleMut;
pub use raven::{
    AugmentConfig, ChoiceOrder, Fresh, LayoutWeights, SceneCodes, Stored, irrelevant, write,
};
pub use regimes::Regimes;
pub use self_labelled::SelfLabelled;
pub use stored_relations::StoredRelations;
pub use supervision::Supervision;
pub use warp::WarpConfig;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use genvp_model::{PuzzleData, Resize};
use genvp_puzzle::family::{Family, Form};
use genvp_puzzle::raven::Raven;

use crate::error::TrainError;

/// Where puzzles come from: number `n` is always the same one.
pub trait Source: Send + Sync + 'static {
    /// Writes puzzle number `number`, the answer first among its choices.
    ///
    /// # Errors
    /// When it cannot be made or read.
    fn fill(&self, number: u64, out: &mut ExampleMut<'_>) -> Result<(), TrainError>;
}

/// Puzzles side by side, on the host. Labels that are not used are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// `[b, P, side, side, 1]`, context, then choices; ink = 1, paper = 0.
    pub pixels: Vec<f32>,
    /// `[b, C, K_R]`: R for the answer, R⁻ for the others.
    pub rules: Vec<u8>,
    /// `[b, C, K_R]`: which of those are known. Empty: all.
    pub known: Vec<bool>,
    /// `[b]`: places among [`genvp_puzzle::Layout::ALL`].
    pub layouts: Vec<u8>,
    /// `[b]`: where the answer stands.
    pub targets: Vec<u8>,
    /// `[b, P, components, shares]`: what is where in each panel, see [`SceneCodes`].
    pub values: Vec<f32>,
    /// `[b, P, K_Zo-bar]`: all else that is in each panel.
    pub irrelevant: Vec<f32>,
    /// `[b, components, numbers]`: the parameters of the rules.
    pub parameters: Vec<f32>,
    codes: Option<SceneCodes>,
    resize: Resize,
}

impl Batch {
    /// Room for some puzzles.
    pub fn new(shape: FeedShape) -> Self {
        let FeedShape { puzzles, form, side, supervision, attributes, codes, irrelevant, .. } =
            shape;
        let shares = codes.map_or(shape.family_codes, |codes| codes.per_panel());
        let known = |least, room| if supervision >= least { puzzles * room } else { 0 };
        let room_of_rules = known(Supervision::Rules, form.choices * attributes);
        Self {
            pixels: vec![0.0; puzzles * form.inputs() * side * side],
            rules: vec![0; room_of_rules],
            known: vec![true; if shape.partly_known { room_of_rules } else { 0 }],
            layouts: vec![0; known(Supervision::Rules, 1)],
            targets: vec![0; puzzles],
            values: vec![0.0; known(Supervision::Values, form.inputs() * shares)],
            irrelevant: vec![0.0; known(Supervision::Values, form.inputs() * irrelevant)],
            parameters: vec![
                0.0;
                known(
                    Supervision::Values,
                    codes.map_or(0, |codes| codes.parameters_per_puzzle())
                )
            ],
            codes,
            resize: shape.resize,
        }
    }

    /// How many puzzles there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The room of each puzzle.
    pub fn examples(&mut self) -> impl Iterator<Item = ExampleMut<'_>> {
        let (count, codes, resize) = (self.len().max(1), self.codes, self.resize);
        let rules = rooms(&mut self.rules, count).zip(rooms(&mut self.known, count));
        let rows = rooms(&mut self.pixels, count).zip(rules);
        let latents = rooms(&mut self.values, count).zip(rooms(&mut self.irrelevant, count));
        let latents = latents.zip(rooms(&mut self.parameters, count));
        let rows = rows.zip(rooms(&mut self.layouts, count)).zip(&mut self.targets).zip(latents);
        rows.map(move |((((pixels, (rules, known)), layout), target), (latents, parameters))| {
            ExampleMut {
                codes,
                resize,
                pixels,
                rules,
                known,
                layout,
                target,
                values: latents.0,
                irrelevant: latents.1,
                parameters,
            }
        })
    }

    /// As the model takes them.
    pub fn into_data(self) -> PuzzleData {
        fn known<T>(labels: Vec<T>) -> Option<Vec<T>> {
            Some(labels).filter(|labels| !labels.is_empty())
        }
        PuzzleData {
            pixels: self.pixels,
            rules: known(self.rules),
            known: known(self.known),
            layouts: known(self.layouts),
            values: known(self.values),
            irrelevant: known(self.irrelevant),
            parameters: known(self.parameters),
            voted: None,
        }
    }
}

/// A buffer in `count` equal parts, which are empty when it is.
fn rooms<T>(mut buffer: &mut [T], count: usize) -> impl Iterator<Item = &mut [T]> {
    let length = buffer.len() / count;
    (0..count).map(move |_| {
        let (room, rest) = std::mem::take(&mut buffer).split_at_mut(length);
        buffer = rest;
        room
    })
}

/// The batch of one step: puzzles `step * batch ..` of a source.
///
/// # Errors
/// When a puzzle cannot be made.
pub fn batch_of(source: &dyn Source, step: u64, shape: FeedShape) -> Result<Batch, TrainError> {
    let mut batch = Batch::new(shape);
    let first = step * shape.puzzles as u64;
    for (index, mut example) in batch.examples().enumerate() {
        source.fill(first + index as u64, &mut example)?;
    }
    Ok(batch)
}

/// Batches made ahead of time on background threads.
///
/// Thread `t` of `T` makes the batches of steps `first + t`, `first + t + T`, ...
/// and hands them over in a channel of its own, so the order is the same for any
/// number of threads.
#[derive(Debug)]
pub struct Feed {
    channels: Vec<Receiver<Result<Batch, TrainError>>>,
    workers: Vec<JoinHandle<()>>,
    next: usize,
}

impl Feed {
    /// Starts `threads` threads that stay at most `ahead` batches each ahead of
    /// whoever asks, beginning with the batch of step `first`.
    pub fn start(
        source: Arc<dyn Source>,
        first: u64,
        shape: FeedShape,
        threads: usize,
        ahead: usize,
    ) -> Self {
        let threads = threads.max(1);
        let (mut channels, mut workers) = (Vec::new(), Vec::new());
        for thread in 0..threads as u64 {
            let (sender, receiver) = sync_channel(ahead.max(1) - 1);
            let source = Arc::clone(&source);
            let steps = (first + thread..).step_by(threads);
            workers.push(std::thread::spawn(move || make_batches(&*source, steps, shape, &sender)));
            channels.push(receiver);
        }
        Self { channels, workers, next: 0 }
    }

    /// The next step's batch; waits until it is made.
    ///
    /// # Errors
    /// When a puzzle cannot be made.
    pub fn next_batch(&mut self) -> Result<Batch, TrainError> {
        let received = self.channels[self.next].recv();
        self.next = (self.next + 1) % self.channels.len();
        received.unwrap_or_else(|_| {
            Err(TrainError::FeedEnded("it was ended from outside or panicked".into()))
        })
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        // A thread that finds its channel closed ends.
        self.channels.clear();
        for worker in self.workers.drain(..) {
            // One that panicked was reported when its batch was missed.
            let _ = worker.join();
        }
    }
}

/// The shape of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedShape {
    /// Puzzles in a batch.
    pub puzzles: usize,
    /// How many panels and choices each has.
    pub form: Form,
    /// Side of a panel in pixels; 0: no pixels.
    pub side: usize,
    /// How panels come to that side.
    pub resize: Resize,
    /// The labels besides which choice is right.
    pub supervision: Supervision,
    /// K_R, the rows of the rule matrix; those behind the family's own are always none.
    pub attributes: usize,
    /// How the values of panels are coded, for models that are taught them.
    pub codes: Option<SceneCodes>,
    /// Numbers of a panel in the family's own codes, for models that are taught those.
    pub family_codes: usize,
    /// Numbers of Z_o-bar; 0: it is not supervised.
    pub irrelevant: usize,
    /// Whether some rules of a puzzle may be unknown.
    pub partly_known: bool,
}

impl FeedShape {
    /// So many puzzles of the RAVEN family with pixels, and no label but which choice is right.
    pub fn pictures(puzzles: usize, side: usize) -> Self {
        Self::supervised(puzzles, side, Supervision::Answers)
    }

    /// So many puzzles of the RAVEN family with pixels and labels, but for Z_o-bar.
    pub fn supervised(puzzles: usize, side: usize, supervision: Supervision) -> Self {
        Self::of_family(&Raven, puzzles, side, supervision)
    }

    /// So many puzzles of a family with pixels and rules.
    pub fn of_family(
        family: &dyn Family,
        puzzles: usize,
        side: usize,
        supervision: Supervision,
    ) -> Self {
        Self {
            puzzles,
            form: family.form(),
            side,
            resize: Resize::default(),
            supervision,
            attributes: family.rule_space().attributes.len(),
            codes: None,
            family_codes: 0,
            irrelevant: 0,
            partly_known: false,
        }
    }
}

fn make_batches(
    source: &dyn Source,
    steps: impl Iterator<Item = u64>,
    shape: FeedShape,
    sender: &SyncSender<Result<Batch, TrainError>>,
) {
    for step in steps {
        let batch = batch_of(source, step, shape);
        let failed = batch.is_err();
        if sender.send(batch).is_err() || failed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::Layout;

    fn shape() -> FeedShape {
        FeedShape {
            codes: SceneCodes::of(&genvp_model::Preset::named("cpu-64").unwrap().model),
            irrelevant: 40,
            ..FeedShape::supervised(5, 16, Supervision::Values)
        }
    }

    fn fresh(seed: u64) -> Arc<Fresh> {
        Arc::new(Fresh::new(&FeedConfig::default(), seed).unwrap())
    }

    fn batches(threads: usize, first: u64, count: usize) -> Vec<Batch> {
        let mut feed = Feed::start(fresh(7), first, shape(), threads, 2);
        (0..count).map(|_| feed.next_batch().unwrap()).collect()
    }

    #[test]
    fn batches_do_not_depend_on_the_number_of_threads() {
        let one = batches(1, 0, 7);
        assert_eq!(one, batches(2, 0, 7));
        assert_eq!(one, batches(3, 0, 7));
        assert_eq!(one[4..], batches(2, 4, 3)[..], "a feed may start anywhere");
    }

    #[test]
    fn the_answer_comes_first_and_teaches_the_most_rules() {
        for batch in batches(2, 0, 6) {
            assert!(batch.targets.iter().all(|&t| t == 0));
            let rows = Raven.rule_space().attributes.len();
            for rules in batch.rules.chunks_exact(Raven.form().choices * rows) {
                let active: Vec<usize> = rules
                    .chunks_exact(rows)
                    .map(|r| r.iter().filter(|&&x| x != 0).count())
                    .collect();
                assert!(active[1..].iter().all(|&n| n < active[0]), "{active:?}");
            }
            assert!(batch.pixels.iter().all(|p| (-1e-6..=1.0 + 1e-6).contains(p)));
            assert!(batch.pixels.iter().any(|p| *p > 0.0));
        }
    }

    #[test]
    fn a_batch_holds_what_its_supervision_says_and_nothing_more() {
        let batch =
            |supervision| batch_of(&*fresh(7), 0, FeedShape { supervision, ..shape() }).unwrap();
        let (all, rules) = (batch(Supervision::Values), batch(Supervision::Rules));
        let answers = batch(Supervision::Answers);
        assert!(all.values.iter().any(|v| *v > 0.0) && all.irrelevant.iter().any(|v| *v != 0.0));
        assert!(all.parameters.iter().any(|v| *v > 0.0));
        let labelled = Batch { values: vec![], irrelevant: vec![], parameters: vec![], ..all };
        assert_eq!(rules, labelled);
        assert_eq!(answers, Batch { rules: vec![], layouts: vec![], ..labelled });
        assert!(answers.pixels.iter().any(|p| *p > 0.0));
        let data = answers.into_data();
        assert!(data.rules.is_none() && data.layouts.is_none() && data.known.is_none());
        assert!(data.values.is_none() && data.irrelevant.is_none());
    }

    #[test]
    fn rows_of_the_rule_matrix_that_no_attribute_has_are_none() {
        let wide = batch_of(&*fresh(7), 0, FeedShape { attributes: 22, ..shape() }).unwrap();
        let plain = batch_of(&*fresh(7), 0, shape()).unwrap();
        let rows = Raven.rule_space().attributes.len();
        for (wide, plain) in wide.rules.chunks(22).zip(plain.rules.chunks(rows)) {
            assert_eq!(wide[..rows], *plain);
            assert!(wide[rows..].iter().all(|&rule| rule == 0));
        }
    }

    #[test]
    fn weights_choose_layouts() {
        let layouts = LayoutWeights::only(&[Layout::CenterSingle]).with(Layout::OutInGrid, 3.0);
        let config = FeedConfig { layouts, ..FeedConfig::default() };
        let fresh = Fresh::new(&config, 1).unwrap();
        let count =
            |layout| (0..400).filter(|&n| fresh.puzzle(n).unwrap().layout == layout).count();
        let (single, grid) = (count(Layout::CenterSingle), count(Layout::OutInGrid));
        assert_eq!(single + grid, 400);
        assert!((70..130).contains(&single), "{single} of 400 where 100 are due");
    }

    #[test]
    fn a_failing_source_says_why() {
        struct Broken;
        impl Source for Broken {
            fn fill(&self, _: u64, _: &mut ExampleMut<'_>) -> Result<(), TrainError> {
                Err(TrainError::FeedEnded("no puzzles here".into()))
            }
        }
        let mut feed = Feed::start(Arc::new(Broken), 0, shape(), 2, 2);
        assert!(feed.next_batch().unwrap_err().to_string().contains("no puzzles here"));
        feed.next_batch().unwrap_err();
        feed.next_batch().unwrap_err();
    }
}
