//! The bounds that every decoder keeps, checked before recursion or allocation. The doors set the limits of prost and
//! serde_json to match, so that an input is refused by the same number wherever it enters.

/// Deepest nesting of a value or a type. go-cty has no such bound; real schemas stay below 30 levels and a thread's
/// stack holds several times this many frames of our decoders.
pub const MAX_DEPTH: usize = 128;

/// Largest message that a door accepts, in bytes (go-plugin hosts set the same 256 MiB).
pub const MAX_MESSAGE_BYTES: usize = 256 << 20;

/// Most digits that a number may need when written in full. 512 bits of mantissa, go-cty's precision, need 155; the
/// rest is room for exponents. Larger ones are refused, since `1e999999999` is ten bytes in and a gigabyte out.
pub const MAX_NUMBER_DIGITS: usize = 4096;

/// Longest refinement payload that is read, in bytes (go-cty's own bound).
pub const MAX_REFINEMENT_BYTES: usize = 1024;

/// Longest string prefix kept in a refinement, in bytes (go-cty's own bound).
pub const MAX_REFINEMENT_PREFIX_BYTES: usize = 256;
