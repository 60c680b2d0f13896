//! Filling in what is missing: any panel, or several.

use burn::tensor::{Tensor, TensorData, activation};

use crate::error::ModelError;
use crate::expert::Kind;
use crate::generate::{Freedom, Wish};
use crate::genvp::Genvp;
use crate::noise::Noise;
use crate::values::Writer;

/// What experts think less likely than this is not tried.
const DOUBT: f32 = 1e-3;

/// Completed puzzles.
#[derive(Clone, Debug)]
pub struct Completed {
    /// The rules found in what was there, and followed: one-hot `[b, K_R, N_R]`.
    pub rules: Tensor<3>,
    /// The layouts found, one-hot `[b, L]`.
    pub layout: Tensor<2>,
    /// Z `[b, MN, K]`.
    pub z: Tensor<3>,
    /// All panels, drawn anew `[b · MN, h, w, 1]`.
    pub images: Tensor<4>,
}

impl Genvp {
    /// Fills the missing panels of puzzles: finds layout and rules in what is there,
    /// samples `p(Z_o missing|Z_o there, Z_r) p(Z_r|R)` and Z_o-bar, and draws.
    ///
    /// # Shapes
    /// `images`: `[b · MN, h, w, 1]`, anything in the place of missing ones;
    /// `present`: a flag for each of them
    ///
    /// # Errors
    /// When the model has no writer, the flags do not fit, a puzzle has no panel at all, or the device fails.
    pub fn complete(
        &self,
        images: Tensor<4>,
        present: &[bool],
        freedom: Freedom,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        self.fill(images, present, None, freedom, noise)
    }

    /// As [`complete`](Self::complete), by rules that are told instead of found:
    /// the rule of each attribute, puzzle by puzzle.
    ///
    /// # Errors
    /// As for [`complete`](Self::complete), and when a rule does not exist.
    pub fn complete_by(
        &self,
        images: Tensor<4>,
        present: &[bool],
        rules: &[u8],
        freedom: Freedom,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        self.fill(images, present, Some(rules), freedom, noise)
    }

    fn fill(
        &self,
        images: Tensor<4>,
        present: &[bool],
        told: Option<&[u8]>,
        freedom: Freedom,
        noise: &mut Noise,
    ) -> Result<Completed, ModelError> {
        let config = self.config();
        let (panels, relevant) = (config.puzzle.panels(), config.latent.relevant);
        let count = images.dims()[0];
        let writer = self.writer.as_ref().ok_or(ModelError::Cannot {
            what: "complete puzzles: its blocks of Z_o are not codes of values",
        })?;
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
        let layout = writer.layout(&z_o, present);
        let rules = match told {
            Some(rules) if rules.len() != b * config.puzzle.attributes => {
                return Err(ModelError::Shape {
                    what: "the rules to follow",
                    found: vec![rules.len()],
                    wanted: format!("{b} x {}", config.puzzle.attributes),
                });
            }
            Some(rules) => Wish::one_hot(&config.puzzle, rules, &z_o.device())?,
            None => self.rules_of_incomplete(&z_o, present, &layout)?,
        };
        let z_r = self.experts.prior_z_r(rules.clone(), Some(layout.clone()));
        let z_r = if freedom.temperature > 0.0 { z_r.sample(noise) } else { z_r.mean };
        let written = writer.write(&z_o, present, &z_r, &layout, freedom.temperature, noise);
        // What is there keeps its own Z; a missing panel gets a Z_o-bar of its own.
        let new = self.with_irrelevant(written.reshape([count, relevant]), panels, freedom, noise);
        let new = self.carried_on(new, &z.mean, present)?;
        let flags: Vec<f32> = present.iter().map(|&p| f32::from(u8::from(p))).collect();
        let there = Tensor::<2>::from_data(TensorData::new(flags, [count, 1]), &new.device());
        let missing = there.clone().neg().add_scalar(1.0);
        let z = z.mean * there + new * missing;
        let images = self.decode(z.clone());
        Ok(Completed { rules, layout, z: z.reshape([b, panels, config.latent.panel()]), images })
    }

    /// Objects that go on from panel to panel, see [`Objects::carry_on`](crate::values::Objects::carry_on).
    ///
    /// # Shapes
    /// `new`, `shown` `[b · MN, K] -> [b · MN, K]`
    fn carried_on(
        &self,
        new: Tensor<2>,
        shown: &Tensor<2>,
        present: &[bool],
    ) -> Result<Tensor<2>, ModelError> {
        let Some(objects) = self.config().objects() else { return Ok(new) };
        let ([count, numbers], device) = (new.dims(), new.device());
        let host = |t: Tensor<2>| {
            t.try_into_vec_as::<f32>().map_err(|e| ModelError::Device(e.to_string()))
        };
        let (mut new, shown) = (host(new)?, host(shown.clone())?);
        let p = &self.config().puzzle;
        let puzzle = p.panels() * numbers;
        let puzzles = new.chunks_exact_mut(puzzle).zip(shown.chunks_exact(puzzle));
        for ((new, shown), present) in puzzles.zip(present.chunks_exact(p.panels())) {
            objects.carry_on(new, shown, present, p.columns);
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
        let p = &self.config().puzzle;
        let opinions = self.opinions(z_o, present)?;
        let mut found: Vec<u8> = opinions
            .iter()
            .flat_map(|o| o.rules.chunks(p.rules).map(|row| largest(row) as u8))
            .collect();
        if let (Some(writer), true) = (&self.writer, opinions.iter().any(|o| !o.taught)) {
            for (group, rows) in self.config().rule_rows().iter().enumerate() {
                self.weigh(
                    writer,
                    group,
                    rows,
                    &Scene { z_o, present, layout },
                    &opinions,
                    &mut found,
                )?;
            }
        }
        Wish::one_hot(p, &found, &z_o.device())
    }

    /// What the experts that do not look at the missing panels say; where every
    /// one looks at some, those that miss at least one.
    fn opinions(&self, z_o: &Tensor<3>, present: &[bool]) -> Result<Vec<Opinion>, ModelError> {
        let p = &self.config().puzzle;
        let (panels, cells) = (p.panels(), p.cells());
        let [b, _, _] = z_o.dims();
        let last = z_o.clone().narrow(1, panels - 1, 1).repeat_dim(1, p.candidates);
        let inputs = Tensor::cat(vec![z_o.clone().narrow(1, 0, panels - 1), last], 1);
        let logits = self.infer(inputs, &mut Noise::mean()).logits.narrow(2, 0, 1);
        let said = activation::softmax(logits, 4);
        let said = said.try_into_vec_as::<f32>().map_err(|e| ModelError::Device(e.to_string()))?;
        let kinds = self.predictions().kinds();
        let opinion = |(puzzle, there): (usize, &[bool])| {
            let misses = |kind: Kind, panel: usize| match kind {
                Kind::Full | Kind::RowLatents => false,
                Kind::Context(left_out) => left_out == panel,
                Kind::PartialRows(row) => panel / p.columns == row,
            };
            let missing: Vec<usize> = (0..panels).filter(|&panel| !there[panel]).collect();
            let which = |fits: &dyn Fn(Kind) -> bool| -> Vec<usize> {
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
        writer: &Writer,
        group: usize,
        rows: &[Vec<usize>],
        scene: &Scene<'_>,
        opinions: &[Opinion],
        found: &mut [u8],
    ) -> Result<(), ModelError> {
        let p = &self.config().puzzle;
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
            let wish = Wish::one_hot(p, &tried, &scene.z_o.device())?;
            let z_r = self.experts.prior_z_r(wish, Some(scene.layout.clone())).mean;
            let likely = writer.likelihood(group, scene.z_o, scene.present, &z_r, scene.layout)?;
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
struct Scene<'a> {
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

fn largest(row: &[f32]) -> usize {
    (0..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best })
}
