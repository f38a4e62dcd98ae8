;; It refuses every configuration.
(module
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "the configuration is not right")
  (func (export "hermes_abi_v1"))
  (func (export "hermes_init") (result i32)
    (drop (call $error_write (i32.const 0) (i32.const 30)))
    (i32.const 2))
  (func (export "hermes_on_dialog") (param i32) (result i32) (i32.const 1)))
