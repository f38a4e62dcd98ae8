;; Holds a dialog for as many milliseconds as its instance was called before, up to 127: right for one event, and wrong for
;; two.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\01\18\00")
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32)
    (i32.store8 (i32.const 3) (i32.and (i32.add (i32.load8_u (i32.const 3)) (i32.const 1)) (i32.const 127)))
    (drop (call $result_write (i32.const 0) (i32.const 4)))
    (i32.const 0)))
