;; Logs 10,000 lines and decides.
(module
  (import "hermes_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (data (i32.const 0) "\08\02")  ;; DialogVerdict{action: ACCEPT}, FramesVerdict{kept: [2]}
  (data (i32.const 16) "line\1b[2J\n\ff")
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32) (local $n i32)
    (local.set $n (i32.const 10000))
    (loop $more
      (drop (call $log (i32.const 1) (i32.const 16) (i32.const 10)))
      (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (drop (call $result_write (i32.const 0) (i32.const 2)))
    (i32.const 0)))
