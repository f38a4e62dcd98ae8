;; Its hook has another signature.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32 i32) (result i32) (i32.const 1)))
