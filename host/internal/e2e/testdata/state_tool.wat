;; A tool that tells the address of the first tab, as the host's state has it, on its first call, and that one again on
;; every later call, as its store has it. It reports an error where it has no state.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (import "hermes_v1" "state_get" (func $state_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_get" (func $kv_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_set" (func $kv_set (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "url")
  (data (i32.const 32) "no state")
  (data (i32.const 1024) "\0a") ;; the tag of ToolResult.text; its length, of one byte, and the text follow
  (func (export "hermes_abi_v1"))
  (func (export "hermes_tool_call") (param $len i32) (result i32)
    (local $n i32)
    (local.set $n (call $kv_get (i32.const 16) (i32.const 3) (i32.const 1026) (i32.const 127)))
    (if (i32.lt_s (local.get $n) (i32.const 0))
      (then
        (local.set $n (call $state_get (i32.const 16) (i32.const 3) (i32.const 1026) (i32.const 127)))
        (if (i32.lt_s (local.get $n) (i32.const 0))
          (then
            (drop (call $error_write (i32.const 32) (i32.const 8)))
            (return (i32.const 2))))
        (drop (call $kv_set (i32.const 16) (i32.const 3) (i32.const 1026) (local.get $n)))))
    (i32.store8 (i32.const 1025) (local.get $n))
    (drop (call $result_write (i32.const 1024) (i32.add (local.get $n) (i32.const 2))))
    (i32.const 0)))
