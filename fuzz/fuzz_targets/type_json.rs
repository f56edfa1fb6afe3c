//! Types in JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| denobridge_properties::type_json(data));
