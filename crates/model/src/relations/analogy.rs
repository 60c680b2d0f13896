//! The experts of analogies: one relation holds in a source row and in a target row, in different
//! attributes.

use burn::module::{Module, Param};
use burn::nn::Initializer;
use burn::tensor::{Device, Int, Tensor, TensorData, activation};

use super::RelationExpertConfig;
use super::heads::to_rule_matrix;
use super::lines::{LineNetwork, over_values};
use super::sets::ATTRIBUTES;
use crate::config::PuzzleConfig;
use crate::expert::{ExpertGatherPlans, ExpertKind, Predictions};
use crate::mlp::Mlp;

/// What rows say about themselves lies within this far from 0.
const MOST_EVIDENCE: f32 = 15.0;

/// Keeps the logarithm of a chance finite.
const LEAST: f64 = 1e-8;

/// One network says of each row what speaks for every relation in every attribute. An analogy is a
/// relation, its attribute in the source row and its attribute in the target row, or none there,
/// where the candidate breaks it. It is as likely as its two halves together,
/// `p(relation, source, target) ∝ exp(evidence(source, relation) + evidence(target, relation))`, so
/// that a candidate is right only if its row follows what the source row follows.
#[derive(Module, Debug)]
pub struct AnalogyExperts {
    /// What each row shows of each value.
    pub lines: LineNetwork,
    /// What speaks for each relation in a row, whole or with a panel missing (eq. 1 to 3).
    pub row: Mlp,
    /// The same from the row alone as a whole (eq. 4).
    pub row_latents: Mlp,
    /// What speaks for no relation in the target row.
    pub nothing: Param<Tensor<1>>,
    #[module(skip)]
    plans: ExpertGatherPlans,
    #[module(skip)]
    puzzle: PuzzleConfig,
    #[module(skip)]
    tells_attribute: bool,
}

impl AnalogyExperts {
    pub(super) fn new(
        puzzle: &PuzzleConfig,
        config: &RelationExpertConfig,
        device: &Device,
    ) -> Self {
        let RelationExpertConfig { line, hidden, tells_attribute, .. } = *config;
        let inputs = if tells_attribute { line + ATTRIBUTES } else { line };
        let head = || Mlp::new(&[inputs, hidden, hidden, puzzle.rules - 1], true, device);
        Self {
            lines: LineNetwork::new(puzzle, config, device),
            row: head(),
            row_latents: head(),
            nothing: Initializer::Zeros.init([1], device),
            plans: ExpertGatherPlans::new(puzzle, false),
            puzzle: *puzzle,
            tells_attribute,
        }
    }

    /// q(R|·) of every puzzle completed by each of its candidates.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [E, b, C, K_R, N_R]`
    pub fn logits(&self, sets: Tensor<4>) -> Tensor<5> {
        let b = sets.dims()[0];
        let (e, c) = (self.puzzle.predictions(), self.puzzle.candidates);
        let rows = self.evidence(sets);
        let device = rows.device();
        let [sources, targets] = self.rows_of_predictions();
        let source = rows.clone().select(2, indices(&sources, &device));
        let target = rows.select(2, indices(&targets, &device));
        let chances = self.attribute_rules(source, target);
        let logits = chances.add_scalar(LEAST).log();
        let logits = logits.reshape([b, e, c, ATTRIBUTES, self.puzzle.rules]);
        to_rule_matrix(logits.permute([1, 0, 2, 3, 4]), self.puzzle.attributes)
    }

    /// What speaks for each relation in every row: of the versions of all rows, then of whole rows by
    /// the network of row latents, then of a row that is missing.
    ///
    /// # Shapes
    /// `[b, P, A, V] -> [b, A, rows (1 + N) + rows + 1, N_R - 1]`
    fn evidence(&self, sets: Tensor<4>) -> Tensor<4> {
        let lines = over_values(self.lines.forward(sets, &self.plans));
        let told = if self.tells_attribute { with_attribute(lines) } else { lines };
        let [b, a, versions, width] = told.dims();
        let masks = 1 + self.puzzle.columns;
        let whole = told.clone().reshape([b, a, versions / masks, masks * width]);
        let rows = self.row.forward(told);
        let whole = self.row_latents.forward(whole.narrow(3, 0, width));
        let missing = Tensor::zeros([b, a, 1, self.puzzle.rules - 1], &rows.device());
        let all = Tensor::cat(vec![rows, whole, missing], 2);
        all.div_scalar(MOST_EVIDENCE).tanh().mul_scalar(MOST_EVIDENCE)
    }

    /// Which row of [`evidence`](Self::evidence) is the source and which the target of each
    /// prediction and candidate.
    fn rows_of_predictions(&self) -> [Vec<i64>; 2] {
        let (c, n) = (self.puzzle.candidates, self.puzzle.columns);
        let rows = self.puzzle.rows - 1 + c;
        let version = |row: usize, missing: usize| row * (1 + n) + missing;
        let (latents, missing) = (rows * (1 + n), rows * (2 + n));
        let of = |kind: ExpertKind, candidate: usize| match kind {
            ExpertKind::Full => [version(0, 0), version(1 + candidate, 0)],
            ExpertKind::Context(panel) if panel < n => {
                [version(0, 1 + panel), version(1 + candidate, 0)]
            }
            ExpertKind::Context(panel) => [version(0, 0), version(1 + candidate, 1 + panel % n)],
            ExpertKind::PartialRows(0) => [missing, version(1 + candidate, 0)],
            ExpertKind::PartialRows(_) => [version(0, 0), missing],
            ExpertKind::RowLatents => [latents, latents + 1 + candidate],
        };
        let kinds = Predictions::new(&self.puzzle).kinds();
        let pairs = kinds.into_iter().flat_map(|kind| (0..c).map(move |own| (kind, own)));
        let (sources, targets) = pairs
            .map(|(kind, candidate)| of(kind, candidate))
            .map(|[source, target]| (source as i64, target as i64))
            .unzip();
        [sources, targets]
    }

    /// The chance of each rule of each attribute, over all analogies.
    ///
    /// # Shapes
    /// `[b, A, n, N_R - 1]` twice -> `[b, n, A, N_R]`
    fn attribute_rules(&self, source: Tensor<4>, target: Tensor<4>) -> Tensor<4> {
        let [b, attributes, n, relations] = source.dims();
        let device = source.device();
        // [b, n, relation, source, target or none]
        let source = source.permute([0, 2, 3, 1]).reshape([b, n, relations, attributes, 1]);
        let target = target.permute([0, 2, 3, 1]);
        let nothing = self.nothing.val().reshape([1, 1, 1, 1]).repeat(&[b, n, relations, 1]);
        let target = Tensor::cat(vec![target, nothing], 3);
        let target = target.reshape([b, n, relations, 1, attributes + 1]);
        let joint = source.repeat_dim(4, attributes + 1) + target.repeat_dim(3, attributes);
        let analogies = relations * attributes * (attributes + 1);
        let joint = joint + same_attribute(attributes, &device);
        let chances = activation::softmax(joint.reshape([b * n, analogies]), 1);
        let says = what_analogies_say(attributes, relations, &device);
        chances.matmul(says).reshape([b, n, attributes, 1 + relations])
    }
}

/// Appends to every row its attribute.
///
/// # Shapes
/// `[b, A, n, k] -> [b, A, n, k + A]`
fn with_attribute(x: Tensor<4>) -> Tensor<4> {
    let [b, attributes, n, _] = x.dims();
    let own = crate::expert::zero_one(attributes, attributes, &x.device(), |a, b| a == b);
    let own = own.reshape([1, attributes, 1, attributes]).repeat(&[b, 1, n, 1]);
    Tensor::cat(vec![x, own], 3)
}

/// Rules out analogies from an attribute to itself.
///
/// # Shapes
/// `[1, 1, 1, A, A + 1]`
fn same_attribute(attributes: usize, device: &Device) -> Tensor<5> {
    let same = crate::expert::zero_one(attributes, attributes + 1, device, |s, t| s == t);
    same.mul_scalar(-1e4).reshape([1, 1, 1, attributes, attributes + 1])
}

/// The rules of all attributes in every analogy.
///
/// # Shapes
/// `[relations · A · (A + 1), A · (1 + relations)]`
fn what_analogies_say(attributes: usize, relations: usize, device: &Device) -> Tensor<2> {
    let (targets, rules) = (attributes + 1, 1 + relations);
    crate::expert::zero_one(
        relations * attributes * targets,
        attributes * rules,
        device,
        |analogy, cell| {
            let (relation, source, target) = (
                analogy / (attributes * targets),
                analogy / targets % attributes,
                analogy % targets,
            );
            let (attribute, rule) = (cell / rules, cell % rules);
            let governed = attribute == source || attribute == target;
            rule == if governed { 1 + relation } else { 0 }
        },
    )
}

fn indices(places: &[i64], device: &Device) -> Tensor<1, Int> {
    Tensor::from_data(TensorData::new(places.to_vec(), [places.len()]), device)
}
