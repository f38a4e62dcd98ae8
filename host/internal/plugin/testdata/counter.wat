;; Answers how often its instance was called before: state that it should not keep, and that only its own instance may show.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $calls (mut i32) (i32.const 0))
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (i32.store8 (i32.const 0) (global.get $calls))
    (i32.store8 (i32.const 1) (i32.load8_u (i32.const 2)))  ;; the same count, kept in memory
    (i32.store8 (i32.const 2) (i32.add (i32.load8_u (i32.const 2)) (i32.const 1)))
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (drop (call $result_write (i32.const 0) (i32.const 2)))
    (i32.const 0)))
