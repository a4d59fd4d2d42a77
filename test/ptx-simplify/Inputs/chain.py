"""chain.py N mad|mix|fan: a kernel with three products of one factor, which
straight-line strength reduction makes sums of, beside N steps in a row, of
multiplications and sums or of bits, or beside N sums with one value."""
import sys

length, operation = int(sys.argv[1]), sys.argv[2]
print(f""".version 8.5
.target sm_90
.address_size 64
.visible .entry chain(.param .u64 .ptr .global .align 16 out, .param .u32 n) {{
  .reg .b32 %r<{length + 12}>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  and.b32 %r0, %r1, 15;
  mul.lo.u32 %r5, %r0, %r2;
  add.u32 %r3, %r2, 1;
  mul.lo.u32 %r6, %r0, %r3;
  add.u32 %r4, %r2, 2;
  mul.lo.u32 %r7, %r0, %r4;
  st.global.u32 [%d1+4], %r5;
  st.global.u32 [%d1+8], %r6;
  st.global.u32 [%d1+12], %r7;
  mov.u32 %r10, %r2;""")
for i in range(length):
    to, of = f"%r{i + 11}", f"%r{i + 10}"
    if operation == "mad":
        print(f"  mad.lo.u32 {to}, {of}, {14 * i + 3}, %r1;")
    elif operation == "fan":
        print(f"  xor.b32 {of}, %r2, {14 * i + 3};\n  add.u32 {to}, {of}, %r1;")
        print(f"  st.global.u32 [%d1+{4 * i + 16}], {to};")
    else:
        print(f"  xor.b32 {of}, {of}, %r1;\n  shf.l.wrap.b32 {to}, {of}, {of}, 5;")
print(f"  st.global.u32 [%d1], %r{length + 10};\n  ret;\n}}")
