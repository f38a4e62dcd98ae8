;; Calls every import whose answer does not depend on what is granted, and gives the number of the first check that fails
;; as the reason. The host calls hermes_on_dialog with an event of 16 bytes that begins with 0x01, and a configuration of 10
;; bytes that begins with 0x0a.
(module
  (import "hermes_v1" "event_read" (func $event_read (param i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (import "hermes_v1" "error_write" (func $error_write (param i32 i32) (result i32)))
  (import "hermes_v1" "config_read" (func $config_read (param i32 i32) (result i32)))
  (import "hermes_v1" "features" (func $features (result i64)))
  (import "hermes_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (import "hermes_v1" "log_enabled" (func $log_enabled (param i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\08\02")         ;; DialogVerdict{action: ACCEPT}
  (data (i32.const 16) "check 00 failed")
  (global $checks (mut i32) (i32.const 0))
  (global $failed (mut i32) (i32.const 0))
  (func (export "hermes_abi_v1"))

  ;; The first check that fails is kept.
  (func $expect (param $got i32) (param $want i32)
    (global.set $checks (i32.add (global.get $checks) (i32.const 1)))
    (if (i32.and (i32.ne (local.get $got) (local.get $want)) (i32.eqz (global.get $failed)))
      (then (global.set $failed (global.get $checks)))))

  (func (export "hermes_on_dialog") (param $len i32) (result i32)
    (global.set $checks (i32.const 0))
    (global.set $failed (i32.const 0))
    (i32.store8 (i32.const 64) (i32.const 0))
    (i32.store8 (i32.const 96) (i32.const 0))
    (call $expect (local.get $len) (i32.const 16))                                              ;;  1 the length of the event
    (call $expect (call $event_read (i32.const 64) (i32.const 0)) (i32.const 16))               ;;  2 only the length
    (call $expect (call $event_read (i32.const 64) (i32.const 15)) (i32.const 16))              ;;  3 it does not fit
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 0))                                   ;;  4 so nothing was copied
    (call $expect (call $event_read (i32.const -1) (i32.const 0)) (i32.const 16))               ;;  5 nothing is copied, no matter where to
    (call $expect (call $event_read (i32.const -1) (i32.const 16)) (i32.const -2))              ;;  6 BAD_MEMORY
    (call $expect (call $event_read (i32.const 131060) (i32.const 16)) (i32.const -2))          ;;  7 the end is outside
    (call $expect (call $event_read (i32.const 64) (i32.const 16)) (i32.const 16))              ;;  8 it fits
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 1))                                   ;;  9 and was copied
    (i32.store8 (i32.const 64) (i32.const 0))
    (call $expect (call $event_read (i32.const 64) (i32.const -1)) (i32.const 16))              ;; 10 lengths have no sign; a second time
    (call $expect (i32.load8_u (i32.const 64)) (i32.const 1))                                   ;; 11
    (call $expect (call $event_read (i32.const 131056) (i32.const 16)) (i32.const 16))          ;; 12 the last bytes of the memory
    (call $expect (call $config_read (i32.const 96) (i32.const 9)) (i32.const 10))              ;; 13 likewise for the configuration
    (call $expect (i32.load8_u (i32.const 96)) (i32.const 0))                                   ;; 14
    (call $expect (call $config_read (i32.const -1) (i32.const 10)) (i32.const -2))             ;; 15
    (call $expect (call $config_read (i32.const 96) (i32.const 10)) (i32.const 10))             ;; 16
    (call $expect (i32.load8_u (i32.const 96)) (i32.const 10))                                  ;; 17
    (call $expect (call $result_write (i32.const -1) (i32.const 2)) (i32.const -2))             ;; 18
    (call $expect (call $result_write (i32.const 131071) (i32.const 2)) (i32.const -2))         ;; 19
    (call $expect (call $result_write (i32.const 0) (i32.const 65537)) (i32.const -3))          ;; 20 TOO_LARGE
    (call $expect (call $result_write (i32.const 0) (i32.const -1)) (i32.const -3))             ;; 21
    (call $expect (call $error_write (i32.const -1) (i32.const 2)) (i32.const -2))              ;; 22
    (call $expect (call $error_write (i32.const 16) (i32.const 15)) (i32.const 15))             ;; 23
    (call $expect (call $log (i32.const 0) (i32.const -1) (i32.const 2)) (i32.const -2))        ;; 24
    (call $expect (call $log (i32.const 0) (i32.const 16) (i32.const 15)) (i32.const 15))       ;; 25
    (call $expect (call $log (i32.const 3) (i32.const 0) (i32.const 65536)) (i32.const 65536))  ;; 26 the length, also where it is cut
    (call $expect (call $log (i32.const 99) (i32.const 16) (i32.const 15)) (i32.const 15))      ;; 27 a level of a later version
    (call $expect (i32.gt_u (call $log_enabled (i32.const 0)) (i32.const 1)) (i32.const 0))     ;; 28 0 or 1
    (call $expect (i32.gt_u (call $log_enabled (i32.const 3)) (i32.const 1)) (i32.const 0))     ;; 29
    (call $expect (call $result_write (i32.const 131072) (i32.const 0)) (i32.const 0))          ;; 30 nothing, at the end
    (call $expect (call $result_write (i32.const 0) (i32.const 2)) (i32.const 2))               ;; 31
    (drop (call $features))
    (if (i32.eqz (global.get $failed)) (then (return (i32.const 0))))
    (i32.store8 (i32.const 22) (i32.add (i32.const 48) (i32.div_u (global.get $failed) (i32.const 10))))
    (i32.store8 (i32.const 23) (i32.add (i32.const 48) (i32.rem_u (global.get $failed) (i32.const 10))))
    (drop (call $error_write (i32.const 16) (i32.const 15)))
    (i32.const 2)))
