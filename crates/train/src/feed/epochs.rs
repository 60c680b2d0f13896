//! The order in which the puzzles of a dataset are seen.

use std::sync::{Mutex, PoisonError};

use genvp_puzzle::Stream;

/// Every epoch has all puzzles once, in an order that is a function of (seed, epoch).
#[derive(Debug)]
pub(super) struct Epochs {
    count: u64,
    seed: u64,
    /// The orders of the epochs in use: two threads may be in neighbouring ones.
    orders: Mutex<Vec<(u64, Vec<u32>)>>,
}

impl Epochs {
    pub(super) fn new(count: usize, seed: u64) -> Self {
        Self { count: count as u64, seed, orders: Mutex::new(Vec::new()) }
    }

    /// Which puzzle is number `number`, counted over all epochs.
    pub(super) fn place(&self, number: u64) -> usize {
        let (epoch, at) = (number / self.count, (number % self.count) as usize);
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, order)) = orders.iter().find(|(e, _)| *e == epoch) {
            return order[at] as usize;
        }
        let mut order: Vec<u32> = (0..self.count as u32).collect();
        Stream::new(self.seed, "train/order", epoch).shuffle(&mut order);
        let place = order[at] as usize;
        orders.retain(|(e, _)| e.abs_diff(epoch) <= 1);
        orders.push((epoch, order));
        place
    }
}
