//! What of a value may leave this process.
