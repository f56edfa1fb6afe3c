//! Values in MessagePack, of whatever type.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| denobridge_properties::msgpack(data));
