;; It decides without a verdict with an event of one byte, and with one over the limit with an event of two; with another it
;; accepts.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\08\02")
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog_closed") (param i32) (result i32) (i32.const 0))
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (if (i32.eq (local.get $len) (i32.const 1)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $len) (i32.const 2))
      (then (drop (call $result_write (i32.const 0) (i32.const 65537))) (return (i32.const 0))))
    (drop (call $result_write (i32.const 0) (i32.const 2)))
    (i32.const 0)))
