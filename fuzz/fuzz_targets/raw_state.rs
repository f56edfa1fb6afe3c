//! Stored states and identities, as they come to be upgraded.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| denobridge_properties::raw_state(data));
