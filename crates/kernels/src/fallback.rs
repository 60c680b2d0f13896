//! The same functions composed of burn's own operations: what runs on devices
//! other than Flex, and what the kernels are tested against.

use burn::tensor::ops::{ConvOptions, ConvTransposeOptions};
use burn::tensor::{IndexingUpdateOp, Int, Tensor, TensorData, activation, module};

use crate::{Activation, BatchNormed, GatherPlan, Layer};

/// `[n, h, w, c] -> [n, c, h, w]`
fn channels_first(x: Tensor<4>) -> Tensor<4> {
    x.permute([0, 3, 1, 2])
}

/// `[n, c, h, w] -> [n, h, w, c]`
fn channels_last(x: Tensor<4>) -> Tensor<4> {
    x.permute([0, 2, 3, 1])
}

/// See [`crate::conv2d`].
pub fn conv2d(
    x: Tensor<4>,
    weight: Tensor<4>,
    bias: Option<Tensor<1>>,
    stride: usize,
    padding: usize,
) -> Tensor<4> {
    let options = ConvOptions::new([stride; 2], [padding; 2], [1, 1], 1);
    // [k, k, ci, co] -> [co, ci, k, k]
    let weight = weight.permute([3, 2, 0, 1]);
    channels_last(module::conv2d(channels_first(x), weight, bias, options))
}

/// See [`crate::conv_transpose2d`].
pub fn conv_transpose2d(
    x: Tensor<4>,
    weight: Tensor<4>,
    bias: Option<Tensor<1>>,
    stride: usize,
    padding: usize,
) -> Tensor<4> {
    let options = ConvTransposeOptions::new([stride; 2], [padding; 2], [0, 0], [1, 1], 1);
    // [k, k, co, ci] -> [ci, co, k, k]
    let weight = weight.permute([3, 2, 0, 1]);
    channels_last(module::conv_transpose2d(channels_first(x), weight, bias, options))
}

/// See [`crate::linear`].
pub fn linear(x: Tensor<2>, weight: Tensor<2>, bias: Option<Tensor<1>>) -> Tensor<2> {
    let y = x.matmul(weight);
    match bias {
        Some(bias) => y + bias.unsqueeze(),
        None => y,
    }
}

/// See [`crate::batch_norm_train`].
pub fn batch_norm_train<const D: usize>(
    x: Tensor<D>,
    gamma: Tensor<1>,
    beta: Tensor<1>,
    epsilon: f64,
    activation: Activation,
) -> BatchNormed<D> {
    let dims = x.dims();
    let channels = dims[D - 1];
    let rows = dims.iter().product::<usize>() / channels.max(1);
    let normed = module::batch_norm_train(x.reshape([rows, channels]), gamma, beta, epsilon);
    BatchNormed {
        output: activation.apply(normed.output.reshape(dims)),
        mean: normed.mean,
        variance: normed.variance,
    }
}

/// See [`crate::batch_norm_eval`].
pub fn batch_norm_eval<const D: usize>(
    x: Tensor<D>,
    gamma: Tensor<1>,
    beta: Tensor<1>,
    mean: Tensor<1>,
    variance: Tensor<1>,
    epsilon: f64,
    activation: Activation,
) -> Tensor<D> {
    let scale = gamma / variance.add_scalar(epsilon).sqrt();
    let shift = beta - mean * scale.clone();
    activation.apply(x * scale.unsqueeze() + shift.unsqueeze())
}

/// See [`crate::join`]; without norm and activation.
pub fn join(x: Tensor<4>, weights: Tensor<3>, offset: Tensor<3>, plan: &GatherPlan) -> Tensor<4> {
    let device = x.device();
    let [_, i, o] = weights.dims();
    let mut order = Vec::new();
    let positions =
        (0..plan.positions()).filter(|&position| !plan.of_position(position).is_empty());
    let products = positions.map(|position| {
        let rows = plan.of_position(position);
        order.extend_from_slice(rows);
        let rows: Vec<i64> = rows.iter().map(|&row| row as i64).collect();
        let count = rows.len();
        let rows = Tensor::<1, Int>::from_data(TensorData::new(rows, [count]), &device);
        let matrix = weights.clone().narrow(0, position, 1).reshape([1, 1, i, o]);
        x.clone().select(2, rows).matmul(matrix)
    });
    let products: Vec<Tensor<4>> = products.collect();
    if products.is_empty() {
        let [b, s, _, _] = x.dims();
        return Tensor::zeros([b, s, plan.outputs(), o], &device) + offset.unsqueeze::<4>();
    }
    let products = Tensor::cat(products, 2);
    let picked = (0..plan.outputs()).flat_map(|output| {
        order.iter().map(move |row| f32::from(u8::from(plan.of_output(output).contains(row))))
    });
    let data = TensorData::new(picked.collect::<Vec<f32>>(), [plan.outputs(), order.len()]);
    let pick = Tensor::<2>::from_data(data, &device);
    pick.unsqueeze::<4>().matmul(products) + offset.unsqueeze::<4>()
}

/// See [`crate::compose`].
pub fn compose(paper: Tensor<2>, [h, w]: [usize; 2], layers: Vec<Layer>) -> Tensor<4> {
    let (n, device) = (paper.dims()[0], paper.device());
    let lines = paper.clone().narrow(1, 0, h).unsqueeze_dim::<3>(2).repeat_dim(2, w);
    let paper = lines + paper.narrow(1, h, w).unsqueeze_dim::<3>(1);
    // One pixel more than there are takes what is drawn over the edge.
    let beyond = Tensor::zeros([1, 1], &device);
    let mut ink = Tensor::cat(vec![paper.reshape([n * h * w, 1]), beyond], 0);
    for Layer { drawn, there, cutouts } in layers {
        let pixels = cutouts.iter().flat_map(|cutout| {
            let of = |&pixel: &u32| match pixel as usize {
                pixel if pixel < h * w => (cutout.panel * h * w + pixel) as i64,
                _ => (n * h * w) as i64,
            };
            cutout.pixels.iter().map(of)
        });
        let pixels: Vec<i64> = pixels.collect();
        let count = pixels.len();
        if count > 0 {
            let pixels = Tensor::<1, Int>::from_data(TensorData::new(pixels, [count]), &device);
            let drawn = (drawn * there).reshape([count, 1]);
            ink = ink.select_assign(0, pixels, drawn, IndexingUpdateOp::Add);
        }
    }
    activation::sigmoid(ink.narrow(0, 0, n * h * w).reshape([n, h, w, 1]))
}
