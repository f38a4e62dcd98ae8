;; Calls the imports that the event names, with the arguments that it names.
;;
;; A call is 17 bytes: the number of the import, see $do, and four i32. All hooks but the frame filter take a script: the
;; number of calls, the length of the verdict, the calls, and then whatever the pointers are to point to. The event lies at 0
;; of the memory; the results of the calls are written as i32 from 32768 on, where the verdict begins.
;;
;; The frame filter takes one call. It fills its memory with "a" before it, leaves the result in the global "answer", and abstains.
(module
  (import "hermes_v1" "event_read" (func $event_read (param i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (import "hermes_v1" "config_read" (func $config_read (param i32 i32) (result i32)))
  (import "hermes_v1" "features" (func $features (result i64)))
  (import "hermes_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (import "hermes_v1" "log_enabled" (func $log_enabled (param i32) (result i32)))
  (import "hermes_v1" "state_get" (func $state_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_get" (func $kv_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_set" (func $kv_set (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_delete" (func $kv_delete (param i32 i32) (result i32)))
  (import "hermes_v1" "kv_list" (func $kv_list (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (global $answer (export "answer") (mut i64) (i64.const 0))
  (func (export "hermes_abi_v1"))

  (func $do (param $import i32) (param $a i32) (param $b i32) (param $c i32) (param $d i32) (result i64)
    (block $17 (block $16 (block $15 (block $14 (block $13 (block $12 (block $11 (block $10 (block $9
    (block $8 (block $7 (block $6 (block $5 (block $4 (block $3 (block $2 (block $1 (block $0
      (br_table $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12 $13 $14 $15 $16 $17
        (i32.rem_u (local.get $import) (i32.const 18))))
    (return (i64.extend_i32_s (call $event_read (local.get $a) (local.get $b)))))
    (return (i64.extend_i32_s (call $result_write (local.get $a) (local.get $b)))))
    (return (i64.extend_i32_s (call $error_write (local.get $a) (local.get $b)))))
    (return (i64.extend_i32_s (call $config_read (local.get $a) (local.get $b)))))
    (return (call $features)))
    (return (i64.extend_i32_s (call $log (local.get $a) (local.get $b) (local.get $c)))))
    (return (i64.extend_i32_s (call $log_enabled (local.get $a)))))
    (return (i64.extend_i32_s (call $state_get (local.get $a) (local.get $b) (local.get $c) (local.get $d)))))
    (return (i64.extend_i32_s (call $kv_get (local.get $a) (local.get $b) (local.get $c) (local.get $d)))))
    (return (i64.extend_i32_s (call $kv_set (local.get $a) (local.get $b) (local.get $c) (local.get $d)))))
    (return (i64.extend_i32_s (call $kv_delete (local.get $a) (local.get $b)))))
    (return (i64.extend_i32_s (call $kv_list (local.get $a) (local.get $b) (local.get $c) (local.get $d)))))
    (return (i64.extend_i32_s (call $fd_write (local.get $a) (local.get $b) (local.get $c) (local.get $d)))))
    (return (i64.extend_i32_s (call $fd_read (local.get $a) (local.get $b) (local.get $c) (local.get $d)))))
    (return (i64.extend_i32_s (call $random_get (local.get $a) (local.get $b)))))
    (return (i64.extend_i32_s (call $environ_get (local.get $a) (local.get $b)))))
    (return (i64.extend_i32_s (call $clock_time_get (local.get $a) (i64.extend_i32_s (local.get $b)) (local.get $c)))))
    (i64.extend_i32_s (call $poll_oneoff (local.get $a) (local.get $b) (local.get $c) (local.get $d))))

  (func $do_at (param $at i32) (result i64)
    (call $do (i32.load8_u (local.get $at)) (i32.load offset=1 (local.get $at)) (i32.load offset=5 (local.get $at))
      (i32.load offset=9 (local.get $at)) (i32.load offset=13 (local.get $at))))

  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_bridge_script")
    (export "hermes_bridge_request") (export "hermes_bridge_reply") (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (local $n i32) (local $calls i32) (local $verdict i32)
    (drop (call $event_read (i32.const 0) (i32.const 32768)))
    (local.set $calls (i32.load (i32.const 0)))
    (local.set $verdict (i32.load (i32.const 4)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $n) (local.get $calls)))
        (i32.store offset=32768 (i32.mul (local.get $n) (i32.const 4))
          (i32.wrap_i64 (call $do_at (i32.add (i32.const 8) (i32.mul (local.get $n) (i32.const 17))))))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br $next)))
    (drop (call $result_write (i32.const 32768) (local.get $verdict)))
    (i32.const 0))

  (func (export "hermes_filter_frames") (param $len i32) (result i32)
    (local $import i32) (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (drop (call $event_read (i32.const 0) (i32.const 131072)))
    (local.set $import (i32.load8_u (i32.const 0)))
    (local.set $a (i32.load offset=1 (i32.const 0)))
    (local.set $b (i32.load offset=5 (i32.const 0)))
    (local.set $c (i32.load offset=9 (i32.const 0)))
    (local.set $d (i32.load offset=13 (i32.const 0)))
    (memory.fill (i32.const 0) (i32.const 97) (i32.const 131072))
    (global.set $answer (call $do (local.get $import) (local.get $a) (local.get $b) (local.get $c) (local.get $d)))
    (i32.const 1)))
