;; Can not decide, for a reason with an escape sequence in it.
(module
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (data (i32.const 0) "no rule\1b[31m matched")
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (drop (call $error_write (i32.const 0) (i32.const 20)))
    (i32.const 2)))
