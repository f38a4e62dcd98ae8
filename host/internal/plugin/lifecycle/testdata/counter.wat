;; Counts its calls in the store of the task, by a letter that becomes the next one. The verdict's rule is the letter; the
;; first is A.
(module
  (import "hermes_v1" "kv_get" (func $kv_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_set" (func $kv_set (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (data (i32.const 0) "\08\01\22\01@")  ;; DialogVerdict{action: HOLD, rule}
  (data (i32.const 16) "n")
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (i32.store8 (i32.const 4) (i32.const 64))
    (drop (call $kv_get (i32.const 16) (i32.const 1) (i32.const 4) (i32.const 1)))
    (i32.store8 (i32.const 4) (i32.add (i32.load8_u (i32.const 4)) (i32.const 1)))
    (drop (call $kv_set (i32.const 16) (i32.const 1) (i32.const 4) (i32.const 1)))
    (drop (call $result_write (i32.const 0) (i32.const 5)))
    (i32.const 0)))
