//! What all drawings promise.
