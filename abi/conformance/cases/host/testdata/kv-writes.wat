;; Uses kv_set_ttl and kv_compare_and_set, and gives the number of the first check that fails as the reason. The host grants
;; kv, and calls hermes_on_dialog with a store of "a": "one", which is also what the store has afterwards. Where bit 3 of
;; features is clear, the host does not have them, and both must say so: the manifest lists them as optional.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (import "hermes_v1" "features" (func $features (result i64)))
  (import "hermes_v1" "kv_get" (func $kv_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_delete" (func $kv_delete (param i32 i32) (result i32)))
  (import "hermes_v1" "kv_set_ttl" (func $set (param i32 i32 i32 i32 i64) (result i32)))
  (import "hermes_v1" "kv_compare_and_set" (func $swap (param i32 i32 i32 i32 i32 i32 i64) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\08\02")          ;; DialogVerdict{action: ACCEPT}
  (data (i32.const 16) "check 00 failed")
  (data (i32.const 32) "ab")
  (data (i32.const 40) "twoone")
  (data (i32.const 48) "\ff")
  (global $checks (mut i32) (i32.const 0))
  (global $failed (mut i32) (i32.const 0))
  (func (export "hermes_abi_v1"))

  ;; The first check that fails is kept.
  (func $expect (param $got i32) (param $want i32)
    (global.set $checks (i32.add (global.get $checks) (i32.const 1)))
    (if (i32.and (i32.ne (local.get $got) (local.get $want)) (i32.eqz (global.get $failed)))
      (then (global.set $failed (global.get $checks)))))

  ;; The value of a key of one byte, by its first byte; 0 for an empty one, or the code.
  (func $value (param $key i32) (result i32)
    (local $n i32)
    (i32.store8 (i32.const 64) (i32.const 0))
    (local.set $n (call $kv_get (local.get $key) (i32.const 1) (i32.const 64) (i32.const 8)))
    (if (result i32) (i32.lt_s (local.get $n) (i32.const 0)) (then (local.get $n)) (else (i32.load8_u (i32.const 64)))))

  (func $without
    (call $expect (call $set (i32.const 32) (i32.const 1) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -5))
    (call $expect (call $swap (i32.const 32) (i32.const 1) (i32.const 40) (i32.const 3) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -5)))

  (func $with
    ;; "a" is at 32 and "b" at 33, each of one byte; "two" is at 40 and "one" at 43.
    (call $expect (call $set (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3) (i64.const 60000)) (i32.const 3))        ;;  1 for a minute
    (call $expect (call $value (i32.const 33)) (i32.const 116))                                                                ;;  2 it is there
    (call $expect (call $set (i32.const 33) (i32.const 1) (i32.const 43) (i32.const 3) (i64.const 0)) (i32.const 3))            ;;  3 for good
    (call $expect (call $value (i32.const 33)) (i32.const 111))                                                                ;;  4
    (call $expect (call $set (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3) (i64.const 31536000001)) (i32.const -3)) ;;  5 over 365 days
    (call $expect (call $set (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3) (i64.const -1)) (i32.const -3))          ;;  6 TOO_LARGE
    (call $expect (call $set (i32.const 33) (i32.const 1) (i32.const -1) (i32.const 3) (i64.const 0)) (i32.const -2))           ;;  7 BAD_MEMORY
    (call $expect (call $set (i32.const 48) (i32.const 1) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -2))           ;;  8 a key that is not UTF-8
    (call $expect (call $value (i32.const 33)) (i32.const 111))                                                                ;;  9 the old one stays
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -8)) ;; 10 CONFLICT: another value
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -8)) ;; 11 there is one
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 43) (i32.const 2) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -8)) ;; 12 a part of it
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 43) (i32.const 0) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -8)) ;; 13 it is not empty
    (call $expect (call $value (i32.const 33)) (i32.const 111))                                                                ;; 14 the old one stays
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 43) (i32.const 3) (i32.const 40) (i32.const 3) (i64.const 60000)) (i32.const 3)) ;; 15 the value
    (call $expect (call $value (i32.const 33)) (i32.const 116))                                                                ;; 16
    (call $expect (call $kv_delete (i32.const 33) (i32.const 1)) (i32.const 0))                                                ;; 17
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 43) (i32.const 0) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -8)) ;; 18 empty is not absent
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 40) (i32.const 0) (i64.const 0)) (i32.const 0)) ;; 19 there is none
    (call $expect (call $value (i32.const 33)) (i32.const 0))                                                                  ;; 20
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 43) (i32.const 0) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const 3)) ;; 21 from empty
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3) (i32.const 0) (i32.const 65536) (i64.const 0)) (i32.const -3)) ;; 22 TOO_LARGE
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const -1) (i32.const 3) (i32.const 40) (i32.const 3) (i64.const 0)) (i32.const -2)) ;; 23 BAD_MEMORY
    (call $expect (call $swap (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3) (i32.const -1) (i32.const 3) (i64.const 0)) (i32.const -2)) ;; 24
    (call $expect (call $kv_delete (i32.const 33) (i32.const 1)) (i32.const 0)))                                               ;; 25

  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (global.set $checks (i32.const 0))
    (global.set $failed (i32.const 0))
    (if (i32.and (i32.wrap_i64 (call $features)) (i32.const 8)) (then (call $with)) (else (call $without)))
    (if (i32.eqz (global.get $failed)) (then
      (drop (call $result_write (i32.const 0) (i32.const 2)))
      (return (i32.const 0))))
    (i32.store8 (i32.const 22) (i32.add (i32.const 48) (i32.div_u (global.get $failed) (i32.const 10))))
    (i32.store8 (i32.const 23) (i32.add (i32.const 48) (i32.rem_u (global.get $failed) (i32.const 10))))
    (drop (call $error_write (i32.const 16) (i32.const 15)))
    (i32.const 2)))
