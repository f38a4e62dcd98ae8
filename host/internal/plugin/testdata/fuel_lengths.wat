;; Takes the length of the event for the length of a bulk instruction: hermes_on_dialog fills so many bytes,
;; hermes_on_dialog_closed grows the memory by so many pages, hermes_filter_frames grows a table by so many elements.
(module
  (memory (export "memory") 1 64)
  (table $t 1 2000 funcref)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (memory.fill (i32.const 0) (i32.const 1) (local.get $len))
    (i32.const 1))
  (func (export "hermes_on_dialog_closed") (param $len i32) (result i32)
    (drop (memory.grow (local.get $len)))
    (i32.const 1))
  (func (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload") (param $len i32) (result i32)
    (drop (table.grow $t (ref.null func) (local.get $len)))
    (i32.const 1)))
