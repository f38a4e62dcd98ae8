;; Exports a hook that is not a function.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (global (export "hermes_on_dialog") i32 (i32.const 1)))
