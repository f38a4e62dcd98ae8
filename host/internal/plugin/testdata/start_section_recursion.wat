;; Calls itself without end in its start function.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func $deeper (param i32) (result i32)
    (i32.add (call $deeper (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
  (func $start
    (call $deeper (i32.const 0)) (drop))
  (start $start)
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (i32.const 1)))
