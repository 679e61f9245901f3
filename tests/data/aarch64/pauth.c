/*
 * The program behind pauth.stacks: calls with frames of every kind, through a signal handler, with
 * return addresses signed (key B, leaves too). Built by
 *
 *     aarch64-linux-gnu-gcc -O1 -fomit-frame-pointer -fasynchronous-unwind-tables
 *         -mbranch-protection=pac-ret+leaf+b-key -fno-stack-protector -nostdlib -static -s
 *         -Wl,-z,max-page-size=4096,-z,noseparate-code,--build-id=none -o pauth pauth.c
 *
 * and run under qemu-aarch64 -cpu max,sve=off with a debugger that wrote down registers and stack
 * step by step from stop () on. The chains of callers are the debugger's own in the same run with
 * pauth=off, where addresses are not signed. The emulator keeps the trampoline that handlers return
 * to at 5500801000; the code of the kernel's is here as well, at 400188.
 */
static volatile int sink;
static long
call (long n, long a, long b, long c, long d)
{
    register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                     x2 __asm__("x2") = c, x3 __asm__("x3") = d;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}
__asm__(".text\nnop\nnop\nnop\nnop\n.globl trampoline\ntrampoline: mov x8,#139\nsvc #0\n");
__attribute__ ((noinline)) void
stop (int n)
{
    sink += n;
}
__attribute__ ((noinline)) int
leaf (int n)
{
    stop (n);
    return n * 3;
}
__attribute__ ((noinline)) int
array (int n)
{
    volatile char big[200];
    big[n] = n;
    return leaf (big[n]) + big[7];
}
__attribute__ ((noinline)) int
vla (int n)
{
    volatile char b[n * 16];
    b[n] = n;
    return array (b[n]) + b[1];
}
__attribute__ ((noinline)) int
recurse (int n)
{
    return (n == 0 ? vla (5) : recurse (n - 1)) + sink;
}
__attribute__ ((noinline)) void
handler (int s)
{
    sink += recurse (3) + s;
}
__attribute__ ((noinline)) int
middle (int n)
{
    struct {
        void *h;
        long f, r, m;
    } a = {handler, 0, 0, 0};
    call (134, 10, (long)&a, 0, 8);
    call (129, call (172, 0, 0, 0, 0), 10, 0, 0);
    return n + sink;
}
__attribute__ ((noinline)) int
work (int n)
{
    return middle (n) + 1;
}
void
_start (void)
{
    call (93, work (3) & 1, 0, 0, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
