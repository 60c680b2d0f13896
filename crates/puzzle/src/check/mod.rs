//! Which rules hold, which choice is right, and whether it is the only one.
