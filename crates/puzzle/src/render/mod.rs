//! From scenes to pixels, bit for bit as the original programs draw them.
