;; Calls itself twice at each of 60 levels: no loop, little stack, and 2^60 calls.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func $wide (param i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
    (i32.add
      (call $wide (i32.sub (local.get 0) (i32.const 1)))
      (call $wide (i32.sub (local.get 0) (i32.const 1)))))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (call $wide (i32.const 60))))
