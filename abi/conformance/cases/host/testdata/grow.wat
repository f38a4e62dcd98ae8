;; It accepts if its memory can grow by a page, and not by 4 GiB.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\02")
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32)
    (if (i32.ne (memory.grow (i32.const 65535)) (i32.const -1)) (then (unreachable)))
    (if (i32.eq (memory.grow (i32.const 1)) (i32.const -1)) (then (unreachable)))
    (drop (call $result_write (i32.const 0) (i32.const 2)))
    (i32.const 0)))
