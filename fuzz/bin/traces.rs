//! libFuzzer's program for the target `traces`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| schedscope_fuzz::targets::traces(data));
