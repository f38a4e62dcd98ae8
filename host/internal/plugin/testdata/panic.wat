;; Writes a line to stderr, as a Go runtime does when it panics, and exits.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (data (i32.const 0) "\08\00\00\00\0c\00\00\00panic: boom\n")
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (param $len i32) (result i32)
    (drop (call $fd_write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 64)))
    (call $proc_exit (i32.const 2))
    (unreachable)))
