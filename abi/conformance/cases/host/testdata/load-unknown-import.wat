;; It imports a function that no host has.
(module
  (import "hermes_v1" "file_read" (func (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32) (i32.const 1)))
