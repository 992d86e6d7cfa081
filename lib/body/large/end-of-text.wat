;; Finds the end of a text in a JSON text: sixteen bytes at a time, by WebAssembly's SIMD.
;; lib/body/large/strings.ts fills the memory: at 0 the lengths of escapes by the byte behind the backslash (0: no escape), at 256
;; a one for each byte that is a hexadecimal digit, and further on the piece of the text, with zeros behind its last byte.
(module
  (memory (export "memory") 2)

  ;; Index of the first byte, from $at on, that is a quote, a control character, or a backslash without a whole escape behind it. A zero
  ;; behind the piece ends the search.
  (func (export "behindText") (param $at i32) (result i32)
    (local $bytes v128)
    (local $found i32)
    (local $size i32)
    block $end
    loop $next
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $found
        (i8x16.bitmask
          (v128.or
            (i8x16.lt_u (local.get $bytes) (i8x16.splat (i32.const 0x20)))
            (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))))
      (if (i32.eqz (local.get $found))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
      ;; Some clients escape every character that is not ASCII: one escape after the other.
      loop $escape
        (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5c))
          (then
            (local.set $size (i32.load8_u (i32.load8_u offset=1 (local.get $at))))
            (br_if $end (i32.eqz (local.get $size)))
            (if (i32.eq (local.get $size) (i32.const 6))
              (then (br_if $end (i32.eqz (call $areHex (local.get $at))))))
            (local.set $at (i32.add (local.get $at) (local.get $size)))
            (br_if $escape (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5c)))
            (br $next)))
      end
    end
    end
    (local.get $at))

  ;; Four digits behind the \u at $at.
  (func $areHex (param $at i32) (result i32)
    (i32.and
      (i32.and
        (i32.load8_u offset=256 (i32.load8_u offset=2 (local.get $at)))
        (i32.load8_u offset=256 (i32.load8_u offset=3 (local.get $at))))
      (i32.and
        (i32.load8_u offset=256 (i32.load8_u offset=4 (local.get $at)))
        (i32.load8_u offset=256 (i32.load8_u offset=5 (local.get $at)))))))
