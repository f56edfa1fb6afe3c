//! Values in JSON, of whatever type.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| denobridge_properties::json(data));
