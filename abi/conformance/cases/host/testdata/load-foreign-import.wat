;; It imports from a module that is no part of the ABI.
(module
  (import "env" "abort" (func (param i32 i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32) (i32.const 1)))
