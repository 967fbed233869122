//! libFuzzer's program for the target `setup`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| schedscope_fuzz::targets::setup(data));
