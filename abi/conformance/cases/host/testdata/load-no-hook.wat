;; It exports no hook.
(module
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1")))
