;; The first byte of the event says how it ends: 0 with the last of several results, 1 with one after a refused one, 2 and
;; 3 with a status, 5 with bytes that are no message, 6 with a verdict with a field that nobody knows, 8 with a result that
;; is refused after one that was not.
(module
  (import "hermes_v1" "event_read" (func $event_read (param i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\08\02")                ;; accept
  (data (i32.const 8) "\08\03")                ;; dismiss
  (data (i32.const 16) "\08")                  ;; a field without its value
  (data (i32.const 24) "\08\02\a2\06\01\00")   ;; accept, with field 100
  (data (i32.const 32) "because")
  (data (i32.const 40) "so")
  (func (export "hermes_abi_v1"))
  (func $result (param $at i32) (param $n i32) (drop (call $result_write (local.get $at) (local.get $n))))
  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (local $how i32)
    (drop (call $event_read (i32.const 64) (i32.const 64)))
    (local.set $how (i32.load8_u (i32.const 64)))
    (if (i32.eq (local.get $how) (i32.const 0))
      (then (call $result (i32.const 0) (i32.const 2)) (call $result (i32.const 8) (i32.const 2)) (return (i32.const 0))))
    (if (i32.eq (local.get $how) (i32.const 1))
      (then (call $result (i32.const 0) (i32.const 65537)) (call $result (i32.const 8) (i32.const 2)) (return (i32.const 0))))
    (if (i32.eq (local.get $how) (i32.const 2))
      (then (call $result (i32.const 0) (i32.const 2)) (return (i32.const 1))))
    (if (i32.eq (local.get $how) (i32.const 3))
      (then (drop (call $error_write (i32.const 40) (i32.const 2))) (drop (call $error_write (i32.const 32) (i32.const 7)))
        (call $result (i32.const 0) (i32.const 2)) (return (i32.const 2))))
    (if (i32.eq (local.get $how) (i32.const 5))
      (then (call $result (i32.const 16) (i32.const 1)) (return (i32.const 0))))
    (if (i32.eq (local.get $how) (i32.const 6))
      (then (call $result (i32.const 24) (i32.const 6)) (return (i32.const 0))))
    (if (i32.eq (local.get $how) (i32.const 8))
      (then (call $result (i32.const 8) (i32.const 2)) (call $result (i32.const 0) (i32.const 65537)) (return (i32.const 0))))
    (i32.const 2)))
