;; Uses the store, and gives the number of the first check that fails as the reason. The host grants kv, and
;; calls hermes_on_dialog with a store of "a": "one" and "ab": "x", which is also what the store has afterwards. Where bit 0
;; of features is clear, the host has no store, and every function must say so.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (import "hermes_v1" "features" (func $features (result i64)))
  (import "hermes_v1" "kv_get" (func $kv_get (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_set" (func $kv_set (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_delete" (func $kv_delete (param i32 i32) (result i32)))
  (import "hermes_v1" "kv_list" (func $kv_list (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\08\02")          ;; DialogVerdict{action: ACCEPT}
  (data (i32.const 16) "check 00 failed")
  (data (i32.const 32) "ab")
  (data (i32.const 40) "two")
  (data (i32.const 48) "\ff")
  (global $checks (mut i32) (i32.const 0))
  (global $failed (mut i32) (i32.const 0))
  (func (export "hermes_abi_v1"))

  ;; The first check that fails is kept.
  (func $expect (param $got i32) (param $want i32)
    (global.set $checks (i32.add (global.get $checks) (i32.const 1)))
    (if (i32.and (i32.ne (local.get $got) (local.get $want)) (i32.eqz (global.get $failed)))
      (then (global.set $failed (global.get $checks)))))

  (func $without
    (call $expect (call $kv_get (i32.const 32) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const -5))
    (call $expect (call $kv_set (i32.const 32) (i32.const 1) (i32.const 40) (i32.const 3)) (i32.const -5))
    (call $expect (call $kv_delete (i32.const 32) (i32.const 1)) (i32.const -5))
    (call $expect (call $kv_list (i32.const 32) (i32.const 0) (i32.const 64) (i32.const 8)) (i32.const -5)))

  (func $with
    ;; "a" is at 32 and "b" at 33, each of one byte; "ab" is both.
    (call $expect (call $kv_get (i32.const 32) (i32.const 1) (i32.const 64) (i32.const 0)) (i32.const 3))       ;;  1 only the length
    (call $expect (call $kv_get (i32.const 32) (i32.const 1) (i32.const 64) (i32.const 2)) (i32.const 3))       ;;  2 it does not fit
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 0))                                                   ;;  3 so nothing was copied
    (call $expect (call $kv_get (i32.const 32) (i32.const 1) (i32.const 64) (i32.const 3)) (i32.const 3))       ;;  4 it fits
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 111))                                                 ;;  5 and was copied
    (call $expect (call $kv_get (i32.const 32) (i32.const 1) (i32.const -1) (i32.const 3)) (i32.const -2))      ;;  6 BAD_MEMORY
    (call $expect (call $kv_get (i32.const 33) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const -1))      ;;  7 NOT_FOUND
    (call $expect (call $kv_set (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 3)) (i32.const 3))       ;;  8 a new key
    (call $expect (call $kv_get (i32.const 33) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const 3))       ;;  9
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 116))                                                 ;; 10
    (i32.store8 (i32.const 40) (i32.const 84))
    (call $expect (call $kv_get (i32.const 33) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const 3))       ;; 11
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 116))                                                 ;; 12 the host has a copy
    (call $expect (call $kv_set (i32.const 33) (i32.const 1) (i32.const 40) (i32.const 0)) (i32.const 0))       ;; 13 an empty value
    (call $expect (call $kv_get (i32.const 33) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const 0))       ;; 14 is one
    (call $expect (call $kv_list (i32.const 32) (i32.const 0) (i32.const 64) (i32.const 32)) (i32.const 10))    ;; 15 KeyList{"a", "ab", "b"}
    (call $expect (i32.load (i32.const 64)) (i32.const 0x0a61010a))                                             ;; 16
    (call $expect (i32.load (i32.const 68)) (i32.const 0x0a626102))                                             ;; 17
    (call $expect (i32.load16_u (i32.const 72)) (i32.const 0x6201))                                             ;; 18
    (i32.store8 (i32.const 64) (i32.const 0))
    (call $expect (call $kv_list (i32.const 32) (i32.const 1) (i32.const 64) (i32.const 6)) (i32.const 7))      ;; 19 {"a", "ab"} does not fit
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 0))                                                   ;; 20
    (call $expect (call $kv_list (i32.const 40) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const 0))      ;; 21 none with that prefix
    (call $expect (call $kv_delete (i32.const 33) (i32.const 1)) (i32.const 0))                                 ;; 22
    (call $expect (call $kv_delete (i32.const 33) (i32.const 1)) (i32.const -1))                                ;; 23 NOT_FOUND
    (call $expect (call $kv_get (i32.const 33) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const -1))      ;; 24
    (call $expect (call $kv_set (i32.const 32) (i32.const 1) (i32.const 0) (i32.const 65536)) (i32.const -3))   ;; 25 TOO_LARGE
    (call $expect (call $kv_get (i32.const 32) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const 3))       ;; 26 the old one stays
    (call $expect (call $kv_set (i32.const 32) (i32.const 0) (i32.const 40) (i32.const 3)) (i32.const -2))      ;; 27 an empty key
    (call $expect (call $kv_set (i32.const 48) (i32.const 1) (i32.const 40) (i32.const 3)) (i32.const -2))      ;; 28 a key that is not UTF-8
    (call $expect (call $kv_get (i32.const 48) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const -2))      ;; 29
    (call $expect (call $kv_get (i32.const 1024) (i32.const 257) (i32.const 64) (i32.const 8)) (i32.const -3))  ;; 30 a key over 256 bytes
    (call $expect (call $kv_get (i32.const -1) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const -2))      ;; 31
    (call $expect (call $kv_set (i32.const -1) (i32.const 1) (i32.const 40) (i32.const 3)) (i32.const -2))      ;; 32
    (call $expect (call $kv_set (i32.const 32) (i32.const 1) (i32.const -1) (i32.const 3)) (i32.const -2))      ;; 33
    (call $expect (call $kv_delete (i32.const -1) (i32.const 1)) (i32.const -2))                                ;; 34
    (call $expect (call $kv_list (i32.const -1) (i32.const 1) (i32.const 64) (i32.const 8)) (i32.const -2)))    ;; 35

  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (global.set $checks (i32.const 0))
    (global.set $failed (i32.const 0))
    (i32.store8 (i32.const 64) (i32.const 0))
    (i32.store8 (i32.const 40) (i32.const 116))
    (if (i32.and (i32.wrap_i64 (call $features)) (i32.const 1)) (then (call $with)) (else (call $without)))
    (if (i32.eqz (global.get $failed)) (then
      (drop (call $result_write (i32.const 0) (i32.const 2)))
      (return (i32.const 0))))
    (i32.store8 (i32.const 22) (i32.add (i32.const 48) (i32.div_u (global.get $failed) (i32.const 10))))
    (i32.store8 (i32.const 23) (i32.add (i32.const 48) (i32.rem_u (global.get $failed) (i32.const 10))))
    (drop (call $error_write (i32.const 16) (i32.const 15)))
    (i32.const 2)))
