;; Imports a function that no host has and that returns no code.
(module
  (import "hermes_v1" "clock_get" (func (result i64)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (i32.const 1)))
