//! Filling in what is missing: any panel, or several.

use burn::tensor::{Tensor, TensorData, activation};

use super::object::Grid;
use super::{Condition, SceneDecoderConfig, SceneGenvp};
use crate::error::{ModelError, to_host};
use crate::expert::{ExpertKind, Predictions};
use crate::latent_model::LatentModel;
use crate::noise::Noise;
use crate::sampling::{Completed, Conditioning, SamplingConfig};
use crate::solve::as_inputs;

/// The columns of R for rules that say what becomes of objects.
const CONSTANT: usize = 1;
const ARITHMETIC: usize = 3;

/// What experts think less likely than this is not tried.
const DOUBT: f32 = 1e-3;

impl SceneGenvp {
    /// Fills the missing panels of puzzles: finds layout and (unless given) rules in what is present,
    /// samples `p(Z_o missing|Z_o present, Z_r) p(Z_r|R)` and Z_o-bar, and draws.
    pub(super) fn fill(
        &self,
        images: Tensor<4>,
        present: &[bool],
        rules: Option<&[u8]>,
        sampling: SamplingConfig,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        let (p, latent) = (&self.config.puzzle, &self.config.latent);
        let (panels, relevant) = (p.panels(), latent.relevant);
        let count = images.dims()[0];
        if present.len() != count || !count.is_multiple_of(panels) {
            return Err(ModelError::Shape {
                what: "the flags of present panels",
                found: vec![present.len()],
                wanted: format!("one for each of {count} panels, a multiple of {panels}"),
            });
        }
        if present.chunks(panels).any(|puzzle| puzzle.iter().all(|p| !p)) {
            return Err(ModelError::Cannot { what: "complete a puzzle of which nothing is there" });
        }
        let b = count / panels;
        let z = self.encode(images);
        let z_o = z.mean.clone().narrow(1, 0, relevant).reshape([b, panels, relevant]);
        let layout = self.writer.layout(&z_o, present);
        let rules = match rules {
            Some(rules) if rules.len() != b * p.attributes => {
                return Err(ModelError::Shape {
                    what: "the rules to follow",
                    found: vec![rules.len()],
                    wanted: format!("{b} x {}", p.attributes),
                });
            }
            Some(rules) => Conditioning::one_hot(p, rules, &z_o.device())?,
            None => self.rules_of_incomplete(&z_o, present, &layout)?,
        };
        let ruled = self.alike_where_ruled(z.mean.clone(), &rules)?;
        let z_o = ruled.clone().narrow(1, 0, relevant).reshape([b, panels, relevant]);
        let z_r = self.experts.prior_z_r(rules.clone(), Some(layout.clone()));
        let z_r = if sampling.temperature > 0.0 { z_r.sample(noise) } else { z_r.mean };
        let (prior, temperature) = (&self.writer, sampling.temperature);
        let parameters = prior.told(None, b, &z_r.device());
        let condition = Condition { z_r: &z_r, layout: &layout, parameters: &parameters };
        let filled = prior.write(&z_o, present, &condition, temperature, noise);
        let filled = filled.reshape([count, relevant]);
        // What is there keeps its own Z; a missing panel gets a Z_o-bar of its own.
        let new = sampling.with_irrelevant(filled, latent.irrelevant, panels, noise);
        let new = self.carried_on(new, &ruled, present, &layout, &rules)?;
        let flags: Vec<f32> = present.iter().map(|&p| f32::from(u8::from(p))).collect();
        let there = Tensor::<2>::from_data(TensorData::new(flags, [count, 1]), &new.device());
        let missing = there.clone().neg().add_scalar(1.0);
        let z = z.mean * there + new * missing;
        let images = self.draw_objects(z.clone())?;
        Ok(Completed { rules, layout, z: z.reshape([b, panels, latent.panel()]), images })
    }

    /// Z in which no attribute that follows a rule is said to differ between the objects of a
    /// component: only what is constant can, so there the encoder is mistaken.
    ///
    /// # Shapes
    /// `[b · MN, K]`, `rules` `[b, K_R, N_R]` -> `[b · MN, K]`
    fn alike_where_ruled(&self, z: Tensor<2>, rules: &Tensor<3>) -> Result<Tensor<2>, ModelError> {
        let Some(objects) = self.decoder.objects() else { return Ok(z) };
        let ([count, numbers], device, p) = (z.dims(), z.device(), &self.config.puzzle);
        let (mut host, rules) = (to_host(z)?, to_host(rules.clone())?);
        let rows = self.config.experts.rule_rows();
        let puzzles = host.chunks_exact_mut(p.panels() * numbers);
        for (panels, rules) in puzzles.zip(rules.chunks_exact(p.cells())) {
            let constant = |attribute: usize, component: usize| {
                let row = rows[1 + attribute][component][0];
                largest(&rules[row * p.rules..(row + 1) * p.rules]) == CONSTANT
            };
            for panel in panels.chunks_exact_mut(numbers) {
                objects
                    .clear_unlike(panel, &|attribute, component| !constant(attribute, component));
            }
        }
        Ok(Tensor::from_data(TensorData::new(host, [count, numbers]), &device))
    }

    /// Objects that go on from panel to panel, see [`Objects::carry_on`](super::Objects::carry_on).
    ///
    /// # Shapes
    /// `new`, `shown` `[b · MN, K]`, `layout` `[b, L]`, `rules` `[b, K_R, N_R]` -> `[b · MN, K]`
    fn carried_on(
        &self,
        new: Tensor<2>,
        shown: &Tensor<2>,
        present: &[bool],
        layout: &Tensor<2>,
        rules: &Tensor<3>,
    ) -> Result<Tensor<2>, ModelError> {
        let (Some(objects), SceneDecoderConfig::Objects(decoder)) =
            (self.decoder.objects(), &self.config.image.decoder)
        else {
            return Ok(new);
        };
        let ([count, numbers], device) = (new.dims(), new.device());
        let (mut new, shown, layout) =
            (to_host(new)?, to_host(shown.clone())?, to_host(layout.clone())?);
        let p = &self.config.puzzle;
        let puzzle = p.panels() * numbers;
        let puzzles = new.chunks_exact_mut(puzzle).zip(shown.chunks_exact(puzzle));
        let puzzles = puzzles.zip(present.chunks_exact(p.panels()));
        let kinds = &self.config.values.groups[1..];
        let rows = self.config.experts.rule_rows();
        let places = rows.first().map_or(&[][..], Vec::as_slice);
        let rules = to_host(rules.clone())?;
        let puzzles = puzzles.zip(rules.chunks_exact(p.cells()));
        for ((((new, shown), present), rules), layout) in
            puzzles.zip(layout.chunks_exact(p.layouts))
        {
            let slots: Vec<usize> = decoder.windows[largest(layout)].iter().map(Vec::len).collect();
            let renewed: Vec<bool> =
                places.iter().map(|rows| makes_new_objects(rows, rules, p.rules)).collect();
            let grid =
                Grid { present, columns: p.columns, slots: &slots, kinds, renewed: &renewed };
            objects.carry_on(new, shown, &grid);
        }
        Ok(Tensor::from_data(TensorData::new(new, [count, numbers]), &device))
    }

    /// The rules of puzzles with missing panels: by the experts that were taught
    /// with those panels missing; where there are none, by what the generative
    /// model says of the panels that are there under each rule that the experts
    /// think possible.
    ///
    /// # Shapes
    /// `z_o` `[b, MN, K_Zo]`, `layout` `[b, L]` -> `[b, K_R, N_R]`, one-hot
    fn rules_of_incomplete(
        &self,
        z_o: &Tensor<3>,
        present: &[bool],
        layout: &Tensor<2>,
    ) -> Result<Tensor<3>, ModelError> {
        let p = &self.config.puzzle;
        let opinions = self.opinions(z_o, present)?;
        let mut found: Vec<u8> = opinions
            .iter()
            .flat_map(|o| o.rules.chunks(p.rules).map(|row| largest(row) as u8))
            .collect();
        if opinions.iter().any(|o| !o.taught) {
            let shown = Shown { z_o, present, layout };
            for (group, rows) in self.config.experts.rule_rows().iter().enumerate() {
                self.weigh(group, rows, &shown, &opinions, &mut found)?;
            }
        }
        Conditioning::one_hot(p, &found, &z_o.device())
    }

    /// What the experts that do not look at the missing panels say; where every
    /// one looks at some, those that miss at least one.
    fn opinions(&self, z_o: &Tensor<3>, present: &[bool]) -> Result<Vec<Opinion>, ModelError> {
        let p = &self.config.puzzle;
        let (panels, cells) = (p.panels(), p.cells());
        let [b, _, _] = z_o.dims();
        let inputs = as_inputs(z_o.clone(), &self.config.puzzle);
        let logits = self.experts.infer(inputs, &mut Noise::mean()).logits.narrow(2, 0, 1);
        let said = activation::softmax(logits, 4);
        let said = to_host(said)?;
        let kinds = Predictions::new(p).kinds();
        let opinion = |(puzzle, there): (usize, &[bool])| {
            let misses = |kind: ExpertKind, panel: usize| match kind {
                ExpertKind::Full | ExpertKind::RowLatents => false,
                ExpertKind::Context(left_out) => left_out == panel,
                ExpertKind::PartialRows(row) => panel / p.columns == row,
            };
            let missing: Vec<usize> = (0..panels).filter(|&panel| !there[panel]).collect();
            let which = |fits: &dyn Fn(ExpertKind) -> bool| -> Vec<usize> {
                (0..kinds.len()).filter(|&e| fits(kinds[e])).collect()
            };
            let all = which(&|kind| missing.iter().all(|&panel| misses(kind, panel)));
            let taught = !all.is_empty();
            let some = || which(&|kind| missing.iter().any(|&panel| misses(kind, panel)));
            let asked = if taught { all } else { some() };
            let mut rules = vec![0.0; cells];
            for &e in &asked {
                let own = &said[(e * b + puzzle) * cells..][..cells];
                rules.iter_mut().zip(own).for_each(|(r, s)| *r += s / asked.len() as f32);
            }
            Opinion { rules, taught }
        };
        Ok(present.chunks(panels).enumerate().map(opinion).collect())
    }

    /// Chooses the rules of one attribute group by the likelihood of the panels
    /// that are there, for puzzles whose experts were not taught what is missing.
    fn weigh(
        &self,
        group: usize,
        rows: &[Vec<usize>],
        shown: &Shown<'_>,
        opinions: &[Opinion],
        found: &mut [u8],
    ) -> Result<(), ModelError> {
        let p = &self.config.puzzle;
        let mut best = vec![f32::NEG_INFINITY; opinions.len() * rows.len()];
        let before = found.to_vec();
        // One of the group's rows of R follows one of the rules, the others none.
        for (row, rule) in (0..rows[0].len()).flat_map(|row| (1..p.rules).map(move |r| (row, r))) {
            let mut tried = before.clone();
            for own in tried.chunks_mut(p.attributes) {
                for (i, &at) in rows.iter().flat_map(|rows| rows.iter().enumerate()) {
                    own[at] = if i == row { rule as u8 } else { 0 };
                }
            }
            let rules = Conditioning::one_hot(p, &tried, &shown.z_o.device())?;
            let z_r = self.experts.prior_z_r(rules, Some(shown.layout.clone())).mean;
            let Shown { z_o, present, layout } = shown;
            let parameters = self.writer.told(None, opinions.len(), &z_r.device());
            let condition = Condition { z_r: &z_r, layout, parameters: &parameters };
            let likely = self.writer.likelihood(group, z_o, present, &condition)?;
            for (puzzle, opinion) in opinions.iter().enumerate().filter(|(_, o)| !o.taught) {
                for (component, own) in rows.iter().enumerate() {
                    let prior = opinion.rules[own[row] * p.rules + rule];
                    let at = puzzle * rows.len() + component;
                    let worth = likely[at] + prior.ln();
                    if prior > DOUBT && worth > best[at] {
                        best[at] = worth;
                        for &a in own {
                            found[puzzle * p.attributes + a] = tried[puzzle * p.attributes + a];
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// What is there of puzzles with missing panels.
struct Shown<'a> {
    z_o: &'a Tensor<3>,
    present: &'a [bool],
    layout: &'a Tensor<2>,
}

/// What the experts say about one puzzle.
struct Opinion {
    /// Probabilities, `K_R · N_R`.
    rules: Vec<f32>,
    /// Whether they were taught with all of these panels missing.
    taught: bool,
}

/// Whether the rule of a component's slots makes new objects in every panel instead of keeping or
/// moving them: any rule of their number, and sums and differences of positions. `rows`: the rows
/// of R for number and position together, number, and position; `rules`: R, one-hot.
fn makes_new_objects(rows: &[usize], rules: &[f32], kinds: usize) -> bool {
    let rule = |row: usize| largest(&rules[row * kinds..(row + 1) * kinds]);
    matches!(*rows, [_, number, position] if rule(number) > 0 || rule(position) == ARITHMETIC)
}

fn largest(row: &[f32]) -> usize {
    (0..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_puzzle::{Attribute, Rule, RuleKind, RuleMatrix};

    #[test]
    fn rules_that_make_new_objects_are_those_of_the_engine() {
        let rules = |attribute, kind| Rule { attribute, kind, step: 1 };
        for attribute in [Attribute::Number, Attribute::Position] {
            for kind in [RuleKind::Progression, RuleKind::Arithmetic, RuleKind::DistributeThree] {
                let rule = rules(attribute, kind);
                let mut matrix = vec![0.0; 3 * RuleMatrix::RULES];
                for row in 0..3 {
                    let own = if row == attribute.index() { kind.column() } else { 0 };
                    matrix[row * RuleMatrix::RULES + own] = 1.0;
                }
                let renewed = makes_new_objects(&[0, 1, 2], &matrix, RuleMatrix::RULES);
                assert_eq!(renewed, rule.rebuilds_objects(), "{rule:?}");
            }
        }
        assert_eq!(CONSTANT, RuleKind::Constant.column());
        assert_eq!(ARITHMETIC, RuleKind::Arithmetic.column());
    }
}
