;; It exports a hook that no host knows.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32) (i32.const 1))
  (func (export "hermes_on_dialogue") (param i32) (result i32) (i32.const 1)))
