;; Never returns, and waits for the memory in every turn: the next address depends on what was read, and is far away.
(module
  (memory (export "memory") 128)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_init") (result i32)
    (memory.fill (i32.const 0) (i32.const 1) (i32.const 8388608))
    (i32.const 0))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32) (local $at i32)
    (loop $again
      (local.set $at (i32.and (i32.const 0x7ffffc)
        (i32.add (i32.add (i32.mul (local.get $at) (i32.const 1103515245)) (i32.const 12345)) (i32.load (local.get $at)))))
      (br $again))
    (unreachable)))
