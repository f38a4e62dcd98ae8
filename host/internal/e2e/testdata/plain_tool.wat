;; A tool that asks for nothing and answers the same each time.
(module
  (import "hermes_v1" "result_write" (func $result_write (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\0a\05hello") ;; ToolResult{text: "hello"}
  (func (export "hermes_abi_v1"))
  (func (export "hermes_tool_call") (param $len i32) (result i32)
    (drop (call $result_write (i32.const 0) (i32.const 7)))
    (i32.const 0)))
