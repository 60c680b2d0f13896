//! How much a file may ask for. Every limit is checked before memory is taken.

/// A whole npz file. A puzzle of 16 panels of 160x160 has 411 kB as bytes and
/// 3.3 MB as 64-bit floats.
pub const NPZ_BYTES: u64 = 24 << 20;
/// One unpacked member: 16 panels of 1024x1024 bytes.
pub const MEMBER_BYTES: u64 = (16 << 20) + 4096;
/// The side of a panel in a table, so that a row asks for no more than an npz.
pub const PANEL_SIDE: usize = 1024;
/// Members of one npz; the originals have seven.
pub const MEMBERS: usize = 64;
/// How many times larger than packed a member may be. White paper deflates
/// about 950 times; deflate itself stops at 1032.
pub const RATIO: u64 = 1000;
/// The text header of one array. The originals' have 128 bytes.
pub const NPY_HEADER_BYTES: u64 = 64 << 10;
/// Dimensions of one array.
pub const NPY_DIMENSIONS: usize = 8;
/// A whole XML file; the originals' largest has 59 kB.
pub const XML_BYTES: u64 = 4 << 20;
/// Nested elements; the originals have seven levels.
pub const XML_DEPTH: usize = 16;
/// Elements, attributes and texts of one XML file.
pub const XML_NODES: u32 = 20_000;
/// The side of a picture, such as a sheet of 16 panels.
pub const PICTURE_SIDE: u32 = 16_384;
/// The pixels of a picture: 16 panels of 1024x1024.
pub const PICTURE_PIXELS: u64 = 16 << 20;
/// A whole picture file.
pub const PICTURE_BYTES: u64 = 64 << 20;
/// One line of a truth file; the originals' longest has 3.5 kB.
pub const TRUTH_LINE_BYTES: u64 = 64 << 10;
/// A manifest.
pub const MANIFEST_BYTES: u64 = 1 << 20;
/// The name or extended header of one member of an archive.
pub const TAR_HEADER_BYTES: u64 = 64 << 10;
/// Zeros that fill up the end of an archive.
pub const TAR_END_BYTES: u64 = 1 << 20;
/// How many times larger than packed an archive may be. The published ones have
/// 31 kB a puzzle, which is 13 times less than its pixels.
pub const ARCHIVE_RATIO: u64 = 400;
/// What an archive may unpack to before its ratio counts, so that a few white
/// panels at its beginning do no harm.
pub const ARCHIVE_FREE_BYTES: u64 = 4 << 20;
