//! libFuzzer's program for the target `words`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| schedscope_fuzz::targets::words(data));
