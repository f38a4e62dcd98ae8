;; Ends its process. Only with real events: on those of the self-test it abstains, so that it comes into
;; service.
(module
  (import "hermes_v1" "event_read" (func $event_read (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (param $len i32) (result i32)
    (drop (call $event_read (i32.const 1024) (i32.const 32768)))
    ;; The header of a made-up event begins so: sequence 1, time 1.
    (if (i64.eq (i64.load (i32.const 1024)) (i64.const 0x091a01100108230a)) (then (return (i32.const 1))))
    (call $proc_exit (i32.const 3))
    (unreachable)))
