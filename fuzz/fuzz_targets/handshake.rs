//! What a plugin prints first, and how a host finds one that runs already.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| denobridge_properties::handshake(data));
