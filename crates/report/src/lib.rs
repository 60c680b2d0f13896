//! How good it is: one file per table and figure of the paper, with the paper's
//! figures beside ours.
