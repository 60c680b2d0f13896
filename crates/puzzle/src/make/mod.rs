//! From rules to scenes and choices.
