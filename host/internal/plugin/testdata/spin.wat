;; Never returns.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (loop $again (br $again))
    (unreachable)))
