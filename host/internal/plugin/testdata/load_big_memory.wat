;; Starts with 32 MiB of memory.
(module
  (memory (export "memory") 512)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (export "hermes_on_dialog_closed") (export "hermes_filter_frames")
    (param $len i32) (result i32)
    (i32.const 1)))
