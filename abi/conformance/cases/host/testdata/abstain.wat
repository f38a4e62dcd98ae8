;; It abstains; and it imports what only some hosts have, and does not call it.
(module
  (import "hermes_v1" "state_get" (func (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_get" (func (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_set" (func (param i32 i32 i32 i32) (result i32)))
  (import "hermes_v1" "kv_delete" (func (param i32 i32) (result i32)))
  (import "hermes_v1" "kv_list" (func (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "hermes_abi_v1"))
  (func (export "hermes_on_dialog") (param i32) (result i32) (i32.const 1)))
