;; Decides on a navigation by the first ! in its address, and what follows it:
;;   !d deny   !r rewrite to the rest   !l rewrite to the same address   !a abstain   !b rewrite to "b"   !t trap   !s spin
;;   !e deny, with the event after its header, in hex, for a reason
;; Without one it allows.
(module
  (import "hermes_v1" "event_read" (func $event_read (param i32 i32) (result i32)))
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 8)
  (data (i32.const 0) "\08\02\1a\14the address says so.\22\04bang")     ;; a denial, 30 bytes
  (data (i32.const 64) "\08\03\12\01b\22\04bang")                       ;; a rewrite to "b", 11 bytes
  (data (i32.const 96) "0123456789abcdef")
  (global $at (mut i32) (i32.const 0))                                  ;; where the verdict is written
  (func (export "hermes_abi_v1"))

  (func $varint (param $p i32) (result i32)                             ;; of two bytes at most
    (if (i32.lt_u (i32.load8_u (local.get $p)) (i32.const 128))
      (then (return (i32.load8_u (local.get $p)))))
    (i32.or (i32.and (i32.load8_u (local.get $p)) (i32.const 127))
            (i32.shl (i32.load8_u offset=1 (local.get $p)) (i32.const 7))))

  (func $past_varint (param $p i32) (result i32)
    (if (result i32) (i32.lt_u (i32.load8_u (local.get $p)) (i32.const 128))
      (then (i32.add (local.get $p) (i32.const 1)))
      (else (i32.add (local.get $p) (i32.const 2)))))

  (func $put (param $b i32)
    (i32.store8 (global.get $at) (local.get $b))
    (global.set $at (i32.add (global.get $at) (i32.const 1))))

  (func $put_text (param $tag i32) (param $p i32) (param $n i32)
    (call $put (local.get $tag))
    (call $put (i32.or (i32.and (local.get $n) (i32.const 127)) (i32.const 128)))
    (call $put (i32.shr_u (local.get $n) (i32.const 7)))
    (memory.copy (global.get $at) (local.get $p) (local.get $n))
    (global.set $at (i32.add (global.get $at) (local.get $n))))

  (func $written (result i32)
    (drop (call $result_write (i32.const 262144) (i32.sub (global.get $at) (i32.const 262144))))
    (i32.const 0))

  (func $rewrite (param $p i32) (param $n i32) (result i32)
    (call $put (i32.const 8))
    (call $put (i32.const 3))
    (call $put_text (i32.const 18) (local.get $p) (local.get $n))
    (call $written))

  (func $hex (param $p i32) (param $n i32)                              ;; to 300000
    (local $i i32)
    (loop $next
      (i32.store8 (i32.add (i32.const 300000) (i32.shl (local.get $i) (i32.const 1)))
        (i32.load8_u offset=96 (i32.shr_u (i32.load8_u (i32.add (local.get $p) (local.get $i))) (i32.const 4))))
      (i32.store8 (i32.add (i32.const 300001) (i32.shl (local.get $i) (i32.const 1)))
        (i32.load8_u offset=96 (i32.and (i32.load8_u (i32.add (local.get $p) (local.get $i))) (i32.const 15))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n)))))

  (func $event (param $p i32) (param $n i32) (result i32)
    (call $hex (local.get $p) (local.get $n))
    (call $put (i32.const 8))
    (call $put (i32.const 2))
    (call $put_text (i32.const 26) (i32.const 300000) (i32.shl (local.get $n) (i32.const 1)))
    (call $written))

  (func (export "hermes_on_navigate") (param $len i32) (result i32)
    (local $p i32) (local $end i32) (local $url i32) (local $first i32) (local $verb i32)
    (global.set $at (i32.const 262144))
    (drop (call $event_read (i32.const 1024) (i32.const 65536)))
    (local.set $first                                                   ;; past the header
      (i32.add (call $past_varint (i32.const 1025)) (call $varint (i32.const 1025))))
    (local.set $p (i32.add (local.get $first) (i32.const 1)))
    (local.set $url (call $past_varint (local.get $p)))
    (local.set $end (i32.add (local.get $url) (call $varint (local.get $p))))
    (local.set $p (local.get $url))
    (block $found
      (loop $next
        (if (i32.ge_u (local.get $p) (local.get $end))
          (then
            (call $put (i32.const 8))
            (call $put (i32.const 1))
            (return (call $written))))
        (br_if $found (i32.eq (i32.load8_u (local.get $p)) (i32.const 33)))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br $next)))
    (local.set $verb (i32.load8_u offset=1 (local.get $p)))
    (local.set $p (i32.add (local.get $p) (i32.const 2)))
    (if (i32.eq (local.get $verb) (i32.const 100))                      ;; d
      (then (drop (call $result_write (i32.const 0) (i32.const 30))) (return (i32.const 0))))
    (if (i32.eq (local.get $verb) (i32.const 98))                       ;; b
      (then (drop (call $result_write (i32.const 64) (i32.const 11))) (return (i32.const 0))))
    (if (i32.eq (local.get $verb) (i32.const 114))                      ;; r
      (then (return (call $rewrite (local.get $p) (i32.sub (local.get $end) (local.get $p))))))
    (if (i32.eq (local.get $verb) (i32.const 108))                      ;; l
      (then (return (call $rewrite (local.get $url) (i32.sub (local.get $end) (local.get $url))))))
    (if (i32.eq (local.get $verb) (i32.const 101))                      ;; e
      (then (return (call $event (local.get $first) (i32.sub (i32.add (i32.const 1024) (local.get $len)) (local.get $first))))))
    (if (i32.eq (local.get $verb) (i32.const 97)) (then (return (i32.const 1))))
    (if (i32.eq (local.get $verb) (i32.const 115)) (then (loop $again (br $again))))
    (unreachable)))
