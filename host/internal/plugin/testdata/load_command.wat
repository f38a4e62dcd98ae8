;; Is a command with a main function.
(module
  (memory (export "memory") 1)
  (func (export "_start")))
