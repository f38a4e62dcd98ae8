;; Calls itself without end on a short way through a function with a huge frame. The other way, which is never taken, changes
;; 64 locals in 256 loops, and the engine keeps each local anew for each loop.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func $deeper (param i32) (result i32)
    (local i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32
      i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)
    (if (local.get 0) (then (return (i32.add (call $deeper (local.get 0)) (i32.const 1)))))
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop loop
      (drop (call $deeper (local.get 0)))
      (local.set 1 (i32.add (local.get 1) (local.get 2))) (local.set 2 (i32.add (local.get 2) (local.get 3)))
      (local.set 3 (i32.add (local.get 3) (local.get 4))) (local.set 4 (i32.add (local.get 4) (local.get 5)))
      (local.set 5 (i32.add (local.get 5) (local.get 6))) (local.set 6 (i32.add (local.get 6) (local.get 7)))
      (local.set 7 (i32.add (local.get 7) (local.get 8))) (local.set 8 (i32.add (local.get 8) (local.get 9)))
      (local.set 9 (i32.add (local.get 9) (local.get 10))) (local.set 10 (i32.add (local.get 10) (local.get 11)))
      (local.set 11 (i32.add (local.get 11) (local.get 12))) (local.set 12 (i32.add (local.get 12) (local.get 13)))
      (local.set 13 (i32.add (local.get 13) (local.get 14))) (local.set 14 (i32.add (local.get 14) (local.get 15)))
      (local.set 15 (i32.add (local.get 15) (local.get 16))) (local.set 16 (i32.add (local.get 16) (local.get 17)))
      (local.set 17 (i32.add (local.get 17) (local.get 18))) (local.set 18 (i32.add (local.get 18) (local.get 19)))
      (local.set 19 (i32.add (local.get 19) (local.get 20))) (local.set 20 (i32.add (local.get 20) (local.get 21)))
      (local.set 21 (i32.add (local.get 21) (local.get 22))) (local.set 22 (i32.add (local.get 22) (local.get 23)))
      (local.set 23 (i32.add (local.get 23) (local.get 24))) (local.set 24 (i32.add (local.get 24) (local.get 25)))
      (local.set 25 (i32.add (local.get 25) (local.get 26))) (local.set 26 (i32.add (local.get 26) (local.get 27)))
      (local.set 27 (i32.add (local.get 27) (local.get 28))) (local.set 28 (i32.add (local.get 28) (local.get 29)))
      (local.set 29 (i32.add (local.get 29) (local.get 30))) (local.set 30 (i32.add (local.get 30) (local.get 31)))
      (local.set 31 (i32.add (local.get 31) (local.get 32))) (local.set 32 (i32.add (local.get 32) (local.get 33)))
      (local.set 33 (i32.add (local.get 33) (local.get 34))) (local.set 34 (i32.add (local.get 34) (local.get 35)))
      (local.set 35 (i32.add (local.get 35) (local.get 36))) (local.set 36 (i32.add (local.get 36) (local.get 37)))
      (local.set 37 (i32.add (local.get 37) (local.get 38))) (local.set 38 (i32.add (local.get 38) (local.get 39)))
      (local.set 39 (i32.add (local.get 39) (local.get 40))) (local.set 40 (i32.add (local.get 40) (local.get 41)))
      (local.set 41 (i32.add (local.get 41) (local.get 42))) (local.set 42 (i32.add (local.get 42) (local.get 43)))
      (local.set 43 (i32.add (local.get 43) (local.get 44))) (local.set 44 (i32.add (local.get 44) (local.get 45)))
      (local.set 45 (i32.add (local.get 45) (local.get 46))) (local.set 46 (i32.add (local.get 46) (local.get 47)))
      (local.set 47 (i32.add (local.get 47) (local.get 48))) (local.set 48 (i32.add (local.get 48) (local.get 49)))
      (local.set 49 (i32.add (local.get 49) (local.get 50))) (local.set 50 (i32.add (local.get 50) (local.get 51)))
      (local.set 51 (i32.add (local.get 51) (local.get 52))) (local.set 52 (i32.add (local.get 52) (local.get 53)))
      (local.set 53 (i32.add (local.get 53) (local.get 54))) (local.set 54 (i32.add (local.get 54) (local.get 55)))
      (local.set 55 (i32.add (local.get 55) (local.get 56))) (local.set 56 (i32.add (local.get 56) (local.get 57)))
      (local.set 57 (i32.add (local.get 57) (local.get 58))) (local.set 58 (i32.add (local.get 58) (local.get 59)))
      (local.set 59 (i32.add (local.get 59) (local.get 60))) (local.set 60 (i32.add (local.get 60) (local.get 61)))
      (local.set 61 (i32.add (local.get 61) (local.get 62))) (local.set 62 (i32.add (local.get 62) (local.get 63)))
      (local.set 63 (i32.add (local.get 63) (local.get 64))) (local.set 64 (i32.add (local.get 64) (local.get 1)))
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end (br_if 0 (local.get 0)) end
      (local.set 0 (i32.add (local.get 0) (local.get 1))) (local.set 0 (i32.add (local.get 0) (local.get 2)))
      (local.set 0 (i32.add (local.get 0) (local.get 3))) (local.set 0 (i32.add (local.get 0) (local.get 4)))
      (local.set 0 (i32.add (local.get 0) (local.get 5))) (local.set 0 (i32.add (local.get 0) (local.get 6)))
      (local.set 0 (i32.add (local.get 0) (local.get 7))) (local.set 0 (i32.add (local.get 0) (local.get 8)))
      (local.set 0 (i32.add (local.get 0) (local.get 9))) (local.set 0 (i32.add (local.get 0) (local.get 10)))
      (local.set 0 (i32.add (local.get 0) (local.get 11))) (local.set 0 (i32.add (local.get 0) (local.get 12)))
      (local.set 0 (i32.add (local.get 0) (local.get 13))) (local.set 0 (i32.add (local.get 0) (local.get 14)))
      (local.set 0 (i32.add (local.get 0) (local.get 15))) (local.set 0 (i32.add (local.get 0) (local.get 16)))
      (local.set 0 (i32.add (local.get 0) (local.get 17))) (local.set 0 (i32.add (local.get 0) (local.get 18)))
      (local.set 0 (i32.add (local.get 0) (local.get 19))) (local.set 0 (i32.add (local.get 0) (local.get 20)))
      (local.set 0 (i32.add (local.get 0) (local.get 21))) (local.set 0 (i32.add (local.get 0) (local.get 22)))
      (local.set 0 (i32.add (local.get 0) (local.get 23))) (local.set 0 (i32.add (local.get 0) (local.get 24)))
      (local.set 0 (i32.add (local.get 0) (local.get 25))) (local.set 0 (i32.add (local.get 0) (local.get 26)))
      (local.set 0 (i32.add (local.get 0) (local.get 27))) (local.set 0 (i32.add (local.get 0) (local.get 28)))
      (local.set 0 (i32.add (local.get 0) (local.get 29))) (local.set 0 (i32.add (local.get 0) (local.get 30)))
      (local.set 0 (i32.add (local.get 0) (local.get 31))) (local.set 0 (i32.add (local.get 0) (local.get 32)))
      (local.set 0 (i32.add (local.get 0) (local.get 33))) (local.set 0 (i32.add (local.get 0) (local.get 34)))
      (local.set 0 (i32.add (local.get 0) (local.get 35))) (local.set 0 (i32.add (local.get 0) (local.get 36)))
      (local.set 0 (i32.add (local.get 0) (local.get 37))) (local.set 0 (i32.add (local.get 0) (local.get 38)))
      (local.set 0 (i32.add (local.get 0) (local.get 39))) (local.set 0 (i32.add (local.get 0) (local.get 40)))
      (local.set 0 (i32.add (local.get 0) (local.get 41))) (local.set 0 (i32.add (local.get 0) (local.get 42)))
      (local.set 0 (i32.add (local.get 0) (local.get 43))) (local.set 0 (i32.add (local.get 0) (local.get 44)))
      (local.set 0 (i32.add (local.get 0) (local.get 45))) (local.set 0 (i32.add (local.get 0) (local.get 46)))
      (local.set 0 (i32.add (local.get 0) (local.get 47))) (local.set 0 (i32.add (local.get 0) (local.get 48)))
      (local.set 0 (i32.add (local.get 0) (local.get 49))) (local.set 0 (i32.add (local.get 0) (local.get 50)))
      (local.set 0 (i32.add (local.get 0) (local.get 51))) (local.set 0 (i32.add (local.get 0) (local.get 52)))
      (local.set 0 (i32.add (local.get 0) (local.get 53))) (local.set 0 (i32.add (local.get 0) (local.get 54)))
      (local.set 0 (i32.add (local.get 0) (local.get 55))) (local.set 0 (i32.add (local.get 0) (local.get 56)))
      (local.set 0 (i32.add (local.get 0) (local.get 57))) (local.set 0 (i32.add (local.get 0) (local.get 58)))
      (local.set 0 (i32.add (local.get 0) (local.get 59))) (local.set 0 (i32.add (local.get 0) (local.get 60)))
      (local.set 0 (i32.add (local.get 0) (local.get 61))) (local.set 0 (i32.add (local.get 0) (local.get 62)))
      (local.set 0 (i32.add (local.get 0) (local.get 63))) (local.set 0 (i32.add (local.get 0) (local.get 64)))
      (local.get 0))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (export "hermes_bridge_script") (export "hermes_bridge_request") (export "hermes_bridge_reply")
    (export "hermes_on_navigate") (export "hermes_on_request") (export "hermes_tool_call")
    (export "hermes_before_tool") (export "hermes_after_tool") (export "hermes_on_console") (export "hermes_on_snapshot")
    (export "hermes_on_download") (export "hermes_on_upload")
    (param $len i32) (result i32)
    (call $deeper (i32.const 1))))
