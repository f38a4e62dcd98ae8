;; Does what the first byte of the event says; without one, and for 0, it decides. Before it does anything else it asks the
;; host for its state once, so that the host knows that it runs.
(module
  (import "hermes_v1" "event_read" (func $event_read (param i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (import "hermes_v1" "state_get" (func $state_get (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (data (i32.const 0) "\08\02\ff\ff")  ;; DialogVerdict{action: ACCEPT}, and what is no message
  (func $deeper (param i32) (result i32)
    (i32.add (call $deeper (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (drop (call $event_read (i32.const 64) (i32.const 64)))
    (if (i32.load8_u (i32.const 64))
      (then (drop (call $state_get (i32.const 0) (i32.const 1) (i32.const 1024) (i32.const 64)))))
    (block $fifteen (block $fourteen (block $thirteen (block $twelve (block $eleven (block $ten (block $nine (block $eight
    (block $seven (block $six (block $five (block $four (block $three (block $two (block $one (block $zero
      (br_table $zero $one $two $three $four $five $six $seven $eight $nine $ten $eleven $twelve $thirteen $fourteen $fifteen
        (i32.load8_u (i32.const 64))))
    ;; 0: decide
    (drop (call $result_write (i32.const 0) (i32.const 2)))
    (return (i32.const 0)))
    ;; 1: trap
    (unreachable))
    ;; 2: spin
    (loop $again (br $again)))
    ;; 3: recurse
    (return (call $deeper (i32.const 0))))
    ;; 4: grow, and touch what it did not get
    (loop $more (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
    (i32.store (i32.mul (memory.size) (i32.const 65536)) (i32.const 1)))
    ;; 5: write outside of the memory
    (i32.store (i32.const 0x7fffffff) (i32.const 1)))
    ;; 6: a result over the limit
    (drop (call $result_write (i32.const 0) (i32.const 0x7fffffff)))
    (return (i32.const 0)))
    ;; 7: a verdict that is no message
    (drop (call $result_write (i32.const 2) (i32.const 2)))
    (return (i32.const 0)))
    ;; 8: a status that does not exist
    (return (i32.const 7)))
    ;; 9: flood the log
    (loop $again (drop (call $log (i32.const 2) (i32.const 0) (i32.const 32768))) (br $again)))
    ;; 10: exit
    (call $proc_exit (i32.const 3)))
    ;; 11: sleep
    (loop $again
      (i64.store (i32.const 152) (i64.const 0x7fffffffffffffff)) ;; of the clock subscription at 128
      (drop (call $poll_oneoff (i32.const 128) (i32.const 256) (i32.const 1) (i32.const 512)))
      (br $again)))
    ;; 12: ask the host for its state, over and over
    (loop $again (drop (call $state_get (i32.const 0) (i32.const 1) (i32.const 1024) (i32.const 64))) (br $again)))
    ;; 13: decide without a result
    (return (i32.const 0)))
    ;; 14: a result outside of the memory
    (drop (call $result_write (i32.const 65535) (i32.const 2)))
    (return (i32.const 0)))
    ;; 15: fill its memory, over and over
    (loop $again (memory.fill (i32.const 1024) (i32.const 1) (i32.const 64512)) (br $again))
    (unreachable)))
