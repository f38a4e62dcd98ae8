;; Imports a function that nearly has the name of one, and does not call it.
(module
  (import "hermes_v1" "result_wrote" (func (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (i32.const 1)))
