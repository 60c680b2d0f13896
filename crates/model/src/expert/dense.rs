//! The `dense` family: the paper's experts.

use burn::module::Module;
use burn::tensor::{Device, Tensor};
use genvp_kernels::{Activation, LinearBlock};
use serde::{Deserialize, Serialize};

use super::{Inference, zero_one};
use crate::config::{LatentConfig, NetworkConfig, PuzzleConfig};
use crate::latent::Gaussian;
use crate::mlp::Mlp;
use crate::noise::Noise;
use crate::transformer::{Transformer, TransformerConfig};

/// One network per kind of expert on the concatenated latents of all panels
/// (missing ones blanked, so that the network sees which), shared over what is
/// missing; Z_r is inferred and generated for the whole puzzle at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DenseConfig {
    /// Hidden widths of the four experts.
    pub experts: Vec<usize>,
    /// Hidden widths of q(Z_r|Z_o).
    pub z_r_posterior: Vec<usize>,
    /// Hidden widths of p(Z_r|R).
    pub z_r_prior: Vec<usize>,
    /// Hidden widths of p(Z_o|Z_r).
    pub z_o_prior: Vec<usize>,
    /// A transformer over the panels of a completed puzzle, before q(Z_r|Z_o) (PGM, VAD).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention: Option<TransformerConfig>,
}

impl DenseConfig {
    pub(crate) fn problems(&self, latent: &LatentConfig) -> Vec<String> {
        let mut problems = Vec::new();
        let widths = [&self.experts, &self.z_r_posterior, &self.z_r_prior, &self.z_o_prior];
        if widths.iter().any(|w| w.is_empty() || w.contains(&0)) {
            problems.push(
                "experts: every network has at least one hidden layer and no width of 0".into(),
            );
        }
        if let Some(attention) = &self.attention {
            problems.extend(attention.problems("experts.attention"));
            if attention.width != latent.relevant {
                problems.push(format!(
                    "experts.attention: a token is a panel's Z_o of {} numbers, not {}",
                    latent.relevant, attention.width
                ));
            }
        }
        problems
    }
}

/// See [`DenseConfig`].
#[derive(Module, Debug)]
pub struct DenseExperts {
    /// From all panels (eq. 1).
    pub full: Mlp,
    /// With a panel missing (eq. 2).
    pub context: Mlp,
    /// With a row missing (eq. 3).
    pub partial_rows: Mlp,
    /// From the row latents (eq. 4).
    pub row_latents: Mlp,
    /// The transformer before q(Z_r|Z_o).
    pub attention: Option<Transformer>,
    /// q(Z_r|Z_o).
    pub z_r_posterior: Mlp,
    /// p(Z_r|R).
    pub z_r_prior: Mlp,
    /// p(Z_o|Z_r).
    pub z_o_prior: Mlp,
    #[module(skip)]
    puzzle: PuzzleConfig,
    #[module(skip)]
    relevant: usize,
    #[module(skip)]
    log_var: [f32; 2],
}

impl DenseExperts {
    pub(crate) fn new(dense: &DenseConfig, config: &NetworkConfig<'_>, device: &Device) -> Self {
        let (puzzle, latent) = (*config.puzzle, config.latent);
        let all = puzzle.panels() * latent.relevant;
        let (relevant, z_r) = (latent.row_relevant(&puzzle), latent.row_latent(&puzzle));
        let cells = puzzle.cells();
        let net = |inputs: usize, hidden: &[usize], outputs: usize| {
            Mlp::new(&[&[inputs], hidden, &[outputs]].concat(), false, device)
        };
        Self {
            full: net(all, &dense.experts, cells),
            context: net(all, &dense.experts, cells),
            partial_rows: net(all, &dense.experts, cells),
            row_latents: net(relevant, &dense.experts, cells),
            attention: dense.attention.as_ref().map(|a| a.init(device)),
            z_r_posterior: net(all, &dense.z_r_posterior, 2 * z_r),
            z_r_prior: net(cells + puzzle.layouts, &dense.z_r_prior, 2 * relevant),
            z_o_prior: net(z_r + puzzle.layouts, &dense.z_o_prior, 2 * all),
            puzzle,
            relevant: latent.relevant,
            log_var: latent.log_var,
        }
    }

    /// See [`Experts::infer`](super::Experts::infer).
    pub fn infer(&self, z_o: Tensor<3>, noise: &mut Noise) -> Inference {
        let (m, n, c) = (self.puzzle.rows, self.puzzle.columns, self.puzzle.candidates);
        let (b, device) = (z_o.dims()[0], z_o.device());
        let visible = |versions: usize, sees: &dyn Fn(usize, usize) -> bool| {
            zero_one(versions, m * n, &device, sees)
        };
        let everything = visible(1, &|_, _| true);
        let full = self.run(&self.full, z_o.clone(), everything.clone());
        let context = self.run(
            &self.context,
            z_o.clone(),
            visible(m * n, &|missing, panel| missing != panel),
        );
        let partial =
            self.run(&self.partial_rows, z_o.clone(), visible(m, &|row, panel| row != panel / n));
        let z_r = match &self.attention {
            None => self.run(&self.z_r_posterior, z_o, everything).squeeze_dim::<3>(0),
            Some(attention) => {
                let panels = self.complete(z_o).reshape([b * c, m * n, self.relevant]);
                let attended = attention.forward(panels).reshape([b, c, m * n * self.relevant]);
                self.z_r_posterior.forward(attended)
            }
        };
        let z_r = Gaussian::from_output(z_r, self.log_var);
        let sample = z_r.sample(noise);
        let relevant = sample.clone().narrow(2, 0, m * self.relevant);
        let latents = self.row_latents.forward(relevant).unsqueeze_dim(0);
        let logits = Tensor::cat(vec![full, context, partial, latents], 0);
        let e = logits.dims()[0];
        Inference {
            logits: logits.reshape([e, b, c, self.puzzle.attributes, self.puzzle.rules]),
            z_r,
            z_r_sample: sample,
        }
    }

    /// A network on all panels of every completed puzzle, those not `visible` blanked.
    ///
    /// A panel's share of the first layer is computed once, whichever versions and
    /// candidates it belongs to.
    ///
    /// # Shapes
    /// `z_o` `[b, P, K_Zo]`, `visible` `[V, MN]` -> `[V, b, C, o]`
    fn run(&self, network: &Mlp, z_o: Tensor<3>, visible: Tensor<2>) -> Tensor<4> {
        let [b, _, k] = z_o.dims();
        let (panels, c) = (self.puzzle.panels(), self.puzzle.candidates);
        let versions = visible.dims()[0];
        let first = &network.hidden[0];
        let width = first.weight.dims()[1];
        // [MN, K_Zo, h]: the first layer's rows, panel by panel.
        let weight = first.weight.val().reshape([panels, k, width]);
        let context = z_o.clone().narrow(1, 0, panels - 1).permute([1, 0, 2]);
        let context = context.matmul(weight.clone().narrow(0, 0, panels - 1));
        let context = visible
            .clone()
            .narrow(1, 0, panels - 1)
            .matmul(context.reshape([panels - 1, b * width]));
        let last = weight.narrow(0, panels - 1, 1).squeeze_dim::<2>(0);
        let candidates = z_o.narrow(1, panels - 1, c).reshape([b * c, k]).matmul(last);
        let sees_last = visible.narrow(1, panels - 1, 1).reshape([versions, 1, 1, 1]);
        let sum = context.reshape([versions, b, 1, width])
            + candidates.reshape([1, b, c, width]) * sees_last;
        let sum = match &first.bias {
            Some(bias) => sum + bias.val().unsqueeze(),
            None => sum,
        };
        let rest = network.hidden[1..].iter();
        let hidden =
            rest.fold(Activation::Relu.apply(sum), |x, layer: &LinearBlock| layer.forward(x));
        network.out.forward(hidden)
    }

    /// The panels of every completed puzzle.
    ///
    /// # Shapes
    /// `[b, P, K_Zo] -> [b, C, MN, K_Zo]`
    fn complete(&self, z_o: Tensor<3>) -> Tensor<4> {
        let (context, c) = (self.puzzle.context(), self.puzzle.candidates);
        let given = z_o.clone().narrow(1, 0, context).unsqueeze_dim::<4>(1).repeat_dim(1, c);
        Tensor::cat(vec![given, z_o.narrow(1, context, c).unsqueeze_dim(2)], 2)
    }

    /// See [`Experts::prior_z_r`](super::Experts::prior_z_r).
    pub fn prior_z_r(&self, rules: Tensor<3>, layout: Option<Tensor<2>>) -> Gaussian<2> {
        let cells = self.conditioned(rules.flatten(1, 2), layout);
        Gaussian::from_output(self.z_r_prior.forward(cells), self.log_var)
    }

    /// See [`Experts::prior_z_o`](super::Experts::prior_z_o).
    pub fn prior_z_o(&self, z_r: Tensor<2>, layout: Option<Tensor<2>>) -> Gaussian<3> {
        let b = z_r.dims()[0];
        let z_o = self.z_o_prior.forward(self.conditioned(z_r, layout));
        let z_o = Gaussian::from_output(z_o, self.log_var);
        z_o.map(|t| t.reshape([b, self.puzzle.panels(), self.relevant]))
    }

    /// Appends the layout, where the model is conditioned on it; an unknown one is all zeros.
    ///
    /// # Shapes
    /// `[b, i] -> [b, i + L]`
    fn conditioned(&self, x: Tensor<2>, layout: Option<Tensor<2>>) -> Tensor<2> {
        let layouts = self.puzzle.layouts;
        if layouts == 0 {
            return x;
        }
        let layout = layout.unwrap_or_else(|| Tensor::zeros([x.dims()[0], layouts], &x.device()));
        Tensor::cat(vec![x, layout], 1)
    }
}
