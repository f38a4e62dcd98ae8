;; Its verdict is its configuration.
(module
  (import "hermes_v1" "config_read" (func $config_read (param i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (drop (call $result_write (i32.const 1024) (call $config_read (i32.const 1024) (i32.const 32768))))
    (i32.const 0)))
