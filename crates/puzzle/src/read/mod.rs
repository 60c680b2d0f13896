//! From pixels back to scenes.
