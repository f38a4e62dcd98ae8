;; A guest that no Go compiler made: wasm2wat of what clang-19 --target=wasm32 -O2 -mbulk-memory -nostdlib
;; -Wl,--no-entry -Wl,--strip-all makes of this. It answers with sums over the event, which it sorts in between.
;;
;;   #define IMPORT(n) __attribute__((import_module("hermes_v1"), import_name(n)))
;;   #define EXPORT(n) __attribute__((export_name(n)))
;;   IMPORT("event_read") int event_read(void *, int);
;;   IMPORT("result_write") int result_write(const void *, int);
;;   static unsigned char event[65536];
;;   static unsigned table[256];
;;   EXPORT("hermes_abi_v1") void marker(void) {}
;;   EXPORT("hermes_init") int init(void) {
;;     for (unsigned i = 0; i < 256; i++) {
;;       unsigned c = i;
;;       for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
;;       table[i] = c;
;;     }
;;     return 0;
;;   }
;;   static void sort(unsigned char *a, int lo, int hi) {
;;     if (lo >= hi) return;
;;     int i = lo, j = hi; unsigned char p = a[(lo + hi) / 2];
;;     while (i <= j) {
;;       while (a[i] < p) i++;
;;       while (a[j] > p) j--;
;;       if (i <= j) { unsigned char t = a[i]; a[i++] = a[j]; a[j--] = t; }
;;     }
;;     sort(a, lo, j); sort(a, i, hi);
;;   }
;;   static unsigned crc(const unsigned char *p, int n) {
;;     unsigned c = ~0u;
;;     while (n--) c = table[(c ^ *p++) & 255] ^ (c >> 8);
;;     return ~c;
;;   }
;;   static int kind(unsigned char c) {
;;     switch (c) { case 8: return 1; case 10: return 2; case 18: return 5; case 26: return 9; case 34: return 3; default: return c % 7; }
;;   }
;;   EXPORT("hermes_on_dialog") int on_dialog(int len) {
;;     if (len > (int)sizeof event || event_read(event, sizeof event) != len) return 2;
;;     unsigned out[3] = {crc(event, len), 0, 0};
;;     for (int i = 0; i < len; i++) out[1] = out[1] * 31 + kind(event[i]);
;;     sort(event, 0, len - 1);
;;     out[2] = crc(event, len);
;;     result_write(out, sizeof out);
;;     return 0;
;;   }
(module
  (type (;0;) (func (param i32 i32) (result i32)))
  (type (;1;) (func))
  (type (;2;) (func (result i32)))
  (type (;3;) (func (param i32) (result i32)))
  (type (;4;) (func (param i32 i32)))
  (import "hermes_v1" "event_read" (func (;0;) (type 0)))
  (import "hermes_v1" "result_write" (func (;1;) (type 0)))
  (func (;2;) (type 1)
    nop)
  (func (;3;) (type 2) (result i32)
    (local i32 i32 i32 i32)
    i32.const 1024
    local.set 3
    loop  ;; label = @1
      local.get 3
      local.get 2
      i32.const 1
      i32.shr_u
      local.tee 0
      i32.const -306674912
      i32.xor
      local.get 0
      local.get 2
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      local.tee 0
      i32.const 1
      i32.shr_u
      local.tee 1
      i32.const -306674912
      i32.xor
      local.get 1
      local.get 0
      i32.const 1
      i32.and
      select
      i32.store
      local.get 3
      i32.const 4
      i32.add
      local.set 3
      local.get 2
      i32.const 1
      i32.add
      local.tee 2
      i32.const 256
      i32.ne
      br_if 0 (;@1;)
    end
    i32.const 0)
  (func (;4;) (type 3) (param i32) (result i32)
    (local i32 i32 i32 i32 i32 i32)
    global.get 0
    i32.const 16
    i32.sub
    local.tee 3
    global.set 0
    i32.const 2
    local.set 2
    block  ;; label = @1
      local.get 0
      i32.const 65536
      i32.gt_s
      br_if 0 (;@1;)
      i32.const 2048
      i32.const 65536
      call 0
      local.get 0
      i32.ne
      br_if 0 (;@1;)
      block  ;; label = @2
        block  ;; label = @3
          block  ;; label = @4
            local.get 0
            if  ;; label = @5
              local.get 0
              i32.const 1
              i32.and
              local.set 5
              i32.const -1
              local.set 1
              local.get 0
              i32.const 1
              i32.sub
              local.tee 6
              br_if 1 (;@4;)
              i32.const 2048
              local.set 2
              br 2 (;@3;)
            end
            i32.const 0
            local.set 2
            local.get 3
            i32.const 8
            i32.add
            i32.const 0
            i32.store
            local.get 3
            i64.const 0
            i64.store
            i32.const 0
            i32.const -1
            call 5
            br 2 (;@2;)
          end
          local.get 0
          i32.const -2
          i32.and
          local.set 4
          i32.const 2048
          local.set 2
          loop  ;; label = @4
            local.get 2
            i32.load8_u
            local.get 1
            i32.xor
            i32.const 255
            i32.and
            i32.const 2
            i32.shl
            i32.const 1024
            i32.add
            i32.load
            local.get 1
            i32.const 8
            i32.shr_u
            i32.xor
            local.tee 1
            local.get 2
            i32.const 1
            i32.add
            i32.load8_u
            i32.xor
            i32.const 255
            i32.and
            i32.const 2
            i32.shl
            i32.const 1024
            i32.add
            i32.load
            local.get 1
            i32.const 8
            i32.shr_u
            i32.xor
            local.set 1
            local.get 2
            i32.const 2
            i32.add
            local.set 2
            local.get 4
            i32.const 2
            i32.sub
            local.tee 4
            br_if 0 (;@4;)
          end
        end
        local.get 5
        if  ;; label = @3
          local.get 2
          i32.load8_u
          local.get 1
          i32.xor
          i32.const 255
          i32.and
          i32.const 2
          i32.shl
          i32.const 1024
          i32.add
          i32.load
          local.get 1
          i32.const 8
          i32.shr_u
          i32.xor
          local.set 1
        end
        i32.const 0
        local.set 2
        local.get 3
        i32.const 0
        i32.store offset=8
        local.get 3
        local.get 1
        i32.const -1
        i32.xor
        i32.store
        block  ;; label = @3
          local.get 0
          i32.const 0
          i32.gt_s
          if  ;; label = @4
            i32.const 0
            local.set 4
            loop  ;; label = @5
              i32.const 1
              local.set 1
              block  ;; label = @6
                block  ;; label = @7
                  block  ;; label = @8
                    block  ;; label = @9
                      block  ;; label = @10
                        block  ;; label = @11
                          local.get 2
                          i32.const 2048
                          i32.add
                          i32.load8_u
                          local.tee 5
                          i32.const 8
                          i32.sub
                          br_table 5 (;@6;) 4 (;@7;) 0 (;@11;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 1 (;@10;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 2 (;@9;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 4 (;@7;) 3 (;@8;) 4 (;@7;)
                        end
                        i32.const 2
                        local.set 1
                        br 4 (;@6;)
                      end
                      i32.const 5
                      local.set 1
                      br 3 (;@6;)
                    end
                    i32.const 9
                    local.set 1
                    br 2 (;@6;)
                  end
                  i32.const 3
                  local.set 1
                  br 1 (;@6;)
                end
                local.get 5
                i32.const 7
                i32.rem_u
                local.set 1
              end
              local.get 1
              local.get 4
              i32.const 31
              i32.mul
              i32.add
              local.set 4
              local.get 0
              local.get 2
              i32.const 1
              i32.add
              local.tee 2
              i32.ne
              br_if 0 (;@5;)
            end
            local.get 3
            local.get 4
            i32.store offset=4
            i32.const 0
            local.get 0
            i32.const 1
            i32.sub
            call 5
            br 1 (;@3;)
          end
          local.get 3
          i32.const 0
          i32.store offset=4
          i32.const 0
          local.get 0
          i32.const 1
          i32.sub
          call 5
          local.get 0
          i32.eqz
          br_if 1 (;@2;)
        end
        local.get 0
        i32.const 1
        i32.and
        local.set 4
        block  ;; label = @3
          local.get 6
          i32.eqz
          if  ;; label = @4
            i32.const 2048
            local.set 2
            i32.const -1
            local.set 1
            br 1 (;@3;)
          end
          local.get 0
          i32.const -2
          i32.and
          local.set 0
          i32.const 2048
          local.set 2
          i32.const -1
          local.set 1
          loop  ;; label = @4
            local.get 2
            i32.load8_u
            local.get 1
            i32.xor
            i32.const 255
            i32.and
            i32.const 2
            i32.shl
            i32.const 1024
            i32.add
            i32.load
            local.get 1
            i32.const 8
            i32.shr_u
            i32.xor
            local.tee 1
            local.get 2
            i32.const 1
            i32.add
            i32.load8_u
            i32.xor
            i32.const 255
            i32.and
            i32.const 2
            i32.shl
            i32.const 1024
            i32.add
            i32.load
            local.get 1
            i32.const 8
            i32.shr_u
            i32.xor
            local.set 1
            local.get 2
            i32.const 2
            i32.add
            local.set 2
            local.get 0
            i32.const 2
            i32.sub
            local.tee 0
            br_if 0 (;@4;)
          end
        end
        local.get 4
        if (result i32)  ;; label = @3
          local.get 2
          i32.load8_u
          local.get 1
          i32.xor
          i32.const 255
          i32.and
          i32.const 2
          i32.shl
          i32.const 1024
          i32.add
          i32.load
          local.get 1
          i32.const 8
          i32.shr_u
          i32.xor
        else
          local.get 1
        end
        i32.const -1
        i32.xor
        local.set 2
      end
      local.get 3
      local.get 2
      i32.store offset=8
      local.get 3
      i32.const 12
      call 1
      drop
      i32.const 0
      local.set 2
    end
    local.get 3
    i32.const 16
    i32.add
    global.set 0
    local.get 2)
  (func (;5;) (type 4) (param i32 i32)
    (local i32 i32 i32 i32 i32 i32 i32)
    local.get 0
    local.get 1
    i32.lt_s
    if  ;; label = @1
      local.get 0
      local.set 4
      loop  ;; label = @2
        local.get 0
        local.get 1
        i32.add
        i32.const 2
        i32.div_s
        i32.const 2048
        i32.add
        i32.load8_u
        local.set 6
        local.get 1
        local.set 2
        loop  ;; label = @3
          local.get 4
          i32.const 1
          i32.sub
          local.set 3
          loop  ;; label = @4
            local.get 3
            i32.const 2049
            i32.add
            local.set 5
            local.get 3
            i32.const 1
            i32.add
            local.set 3
            local.get 5
            i32.load8_u
            local.tee 7
            local.get 6
            i32.lt_u
            br_if 0 (;@4;)
          end
          local.get 3
          i32.const 1
          i32.add
          local.set 4
          loop  ;; label = @4
            local.get 2
            i32.const 2048
            i32.add
            local.set 5
            local.get 2
            i32.const 1
            i32.sub
            local.set 2
            local.get 5
            i32.load8_u
            local.tee 5
            local.get 6
            i32.gt_u
            br_if 0 (;@4;)
          end
          block  ;; label = @4
            local.get 2
            i32.const 1
            i32.add
            local.tee 8
            local.get 3
            i32.lt_s
            if  ;; label = @5
              local.get 8
              local.set 2
              local.get 3
              local.set 4
              br 1 (;@4;)
            end
            local.get 3
            i32.const 2048
            i32.add
            local.get 5
            i32.store8
            local.get 2
            i32.const 2049
            i32.add
            local.get 7
            i32.store8
          end
          local.get 2
          local.get 4
          i32.ge_s
          br_if 0 (;@3;)
        end
        local.get 0
        local.get 2
        call 5
        local.get 4
        local.tee 0
        local.get 1
        i32.lt_s
        br_if 0 (;@2;)
      end
    end)
  (memory (;0;) 3)
  (global (;0;) (mut i32) (i32.const 133120))
  (export "memory" (memory 0))
  (export "hermes_abi_v1" (func 2))
  (export "hermes_init" (func 3))
  (export "hermes_on_dialog" (func 4)))
