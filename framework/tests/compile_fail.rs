//! What the derive refuses, and with which words (F2).

#[test]
fn faulty_models_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
