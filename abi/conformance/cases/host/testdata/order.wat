;; Traps unless the host calls _initialize once and first, hermes_init once and next, and never the marker.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\02")
  (global $step (mut i32) (i32.const 0))
  (func (export "hermes_abi_v1") (unreachable))
  (func $is (param $step i32) (if (i32.ne (global.get $step) (local.get $step)) (then (unreachable))))
  (func (export "_initialize") (call $is (i32.const 0)) (global.set $step (i32.const 1)))
  (func (export "hermes_init") (result i32) (call $is (i32.const 1)) (global.set $step (i32.const 2)) (i32.const 0))
  (func (export "hermes_on_dialog") (param i32) (result i32)
    (call $is (i32.const 2))
    (drop (call $result_write (i32.const 0) (i32.const 2)))
    (i32.const 0)))
