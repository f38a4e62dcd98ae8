;; It imports a function that no host has, calls it, and abstains if the answer is UNSUPPORTED; with whatever else it traps.
(module
  (import "hermes_v1" "file_read" (func $file_read (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32)
    (if (i32.ne (call $file_read (i32.const 0) (i32.const 65536)) (i32.const -5)) (then (unreachable)))
    (i32.const 1)))
