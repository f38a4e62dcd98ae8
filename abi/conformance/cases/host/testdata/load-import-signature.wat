;; It imports a function with another signature.
(module
  (import "hermes_v1" "event_read" (func (param i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32) (i32.const 1)))
