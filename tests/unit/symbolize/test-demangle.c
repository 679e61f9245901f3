/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "core/symbolize/names/demangle.h"

static const struct {
    const char *symbol;
    const char *name;
    const char *short_name;
} cases[] = {
    /* C and others: nothing to do */
    {"main", "main", "main"},
    {"_start", "_start", "_start"},
    {"__libc_start_main@@GLIBC_2.34", "__libc_start_main", "__libc_start_main"},
    {"cfree@GLIBC_2.2.5", "cfree", "cfree"},
    {"memcpy@plt", "memcpy@plt", "memcpy@plt"},
    {"sort.constprop.0", "sort.constprop.0", "sort.constprop.0"},
    {"LazyCompile:*fib /usr/src/app/main.js:1", "LazyCompile:*fib /usr/src/app/main.js:1",
     "LazyCompile:*fib /usr/src/app/main.js:1"},
    {"", "", ""},
    /* C++ */
    {"_Z3fooi", "foo(int)", "foo"},
    {"_Znwm@plt", "operator new(unsigned long)@plt", "operator new@plt"},
    {"_Z3fooILi3EEvv", "foo<3>()", "foo"},
    {"_Z3fooILi3EEvv.cold", "foo<3>() [clone .cold]", "foo"},
    {"_Z3foov.llvm.1234567", "foo() [clone .llvm.1234567]", "foo"},
    {"_ZNSt6vectorIiSaIiEE9push_backERKi",
     "std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"},
    {"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc",
     "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
     "::append(char const*)",
     "std::basic_string::append"},
    {"_ZN12_GLOBAL__N_12AnIdE4convEv", "(anonymous namespace)::An<double>::conv()",
     "(anonymous namespace)::An::conv"},
    {"_ZNKR1AclEi", "A::operator()(int) const &", "A::operator()"},
    {"_ZN1AixEi", "A::operator[](int)", "A::operator[]"},
    {"_ZN1AptEv", "A::operator->()", "A::operator->"},
    {"_ZNK12_GLOBAL__N_12AnIiEltERKS1_",
     "(anonymous namespace)::An<int>::operator<((anonymous namespace)::An<int> const&) const",
     "(anonymous namespace)::An::operator<"},
    {"_ZNK12_GLOBAL__N_12AnIiEcvSt6vectorIiSaIiEEEv",
     "(anonymous namespace)::An<int>::operator std::vector<int, std::allocator<int> >() const",
     "(anonymous namespace)::An::operator std::vector"},
    {"_ZlsIiET_S0_St6vectorIS0_SaIS0_EE",
     "operator<< <int>(int, std::vector<int, std::allocator<int> >)", "operator<<"},
    {"_Zss1AS_", "operator<=>(A, A)", "operator<=>"},
    {"_ZN1ApmIiEEDTplfp_Li1EET_", "A::operator->*<int>(int)", "A::operator->*"},
    {"_Z2fpIiEPFviET_", "fp<int>(int)", "fp"},
    {"_ZZ4mainENKUlSt6vectorIiSaIiEEE_clES1_",
     "main::{lambda(std::vector<int, std::allocator<int> >)#1}::operator()"
     "(std::vector<int, std::allocator<int> >) const",
     "main::{lambda(std::vector)#1}::operator()"},
    {"_ZZZN1A3fooEiENKUlT_E_clIdEEDaS0_EN3Loc1mESt6vectorIiSaIiEE",
     "A::foo(int)::{lambda(auto:1)#1}::operator()<double>(double) const::Loc::m"
     "(std::vector<int, std::allocator<int> >)",
     "A::foo::{lambda(auto:1)#1}::operator()::Loc::m"},
    {"_ZN1AD0Ev", "A::~A()", "A::~A"},
    /* Rust, legacy and v0 */
    {"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad",
     "core::fmt::Formatter::pad"},
    {"_ZN4core3fmt3num52_$LT$impl$u20$core..fmt..Debug$u20$for$u20$usize$GT$3fmt"
     "17h0123456789abcdefE",
     "core::fmt::num::<impl core::fmt::Debug for usize>::fmt",
     "core::fmt::num::<impl core::fmt::Debug for usize>::fmt"},
    {"_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop"
     "17h0123456789abcdefE",
     "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
     "<alloc::vec::Vec as core::ops::drop::Drop>::drop"},
    {"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "mycrate::foo::bar"},
    {"_RINvNtCs1234_7mycrate3foo3barhE", "mycrate::foo::bar::<u8>", "mycrate::foo::bar"},
    {"_RNvMs_Cs1234_7mycrateINtB4_3VechE4push", "<mycrate::Vec<u8>>::push", "mycrate::Vec::push"},
    {"_RNvXs_Cs1234_7mycrateINtB4_3VechENtB4_4Drop4drop",
     "<mycrate::Vec<u8> as mycrate::Drop>::drop", "<mycrate::Vec as mycrate::Drop>::drop"},
    {"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
     "utf8_idents::საჭმელად_გემრიელი_სადილი", "utf8_idents::საჭმელად_გემრიელი_სადილი"},
    {"_RNCNvCs1234_7mycrate4main0B3_", "mycrate::main::{closure#0}", "mycrate::main::{closure#0}"},
    {"_ZN4main13gr$uf6$$udf$e9z$ue4$hle17h0123456789abcdefE", "main::größe::zähle",
     "main::größe::zähle"},
    {"_ZN52_$LT$alloc..vec..Vec$LT$$u4e2d$$GT$$u20$as$u20$T$GT$4make17h0123456789abcdefE.llvm.12",
     "<alloc::vec::Vec<中> as T>::make", "<alloc::vec::Vec as T>::make"},
    {"_ZN4main9$ud800$$$17h0123456789abcdefE", "main::$ud800$$$", "main::$ud800$$$"},
    /* OCaml, until 5.2, 5.3, and 5.4 */
    {"camlStdlib__List__map_123", "Stdlib.List.map_123", "Stdlib.List.map_123"},
    {"camlFib__$5e$2a_81", "Fib.^*_81", "Fib.^*_81"},
    {"camlFib.$5e$2a_81", "Fib.^*_81", "Fib.^*_81"},
    {"camlMy_mod.a__b_7", "My_mod.a__b_7", "My_mod.a__b_7"},
    {"camlFib$abs_81", "Fib.abs_81", "Fib.abs_81"},
    {"camlFib$$$5e$$2a_81", "Fib.^*_81", "Fib.^*_81"},
    {"caml_alloc_string", "caml_alloc_string", "caml_alloc_string"},
    {"camlight", "camlight", "camlight"},
    {"camlFib", "camlFib", "camlFib"},
    /* Fortran */
    {"__phys_MOD_walk", "phys::walk", "phys::walk"},
    {"__lin_alg_MOD___copy_lin_alg_T", "lin_alg::__copy_lin_alg_T", "lin_alg::__copy_lin_alg_T"},
    {"__points.points_impl_MOD_helper", "points::points_impl::helper",
     "points::points_impl::helper"},
    {"_QMphysPwalk", "phys::walk", "phys::walk"},
    {"_QMphysSpartFouterPinner_2", "phys::part::outer::inner_2", "phys::part::outer::inner_2"},
    {"_QPwalk", "_QPwalk", "_QPwalk"},
    {"_QMphys", "_QMphys", "_QMphys"},
    {"_QMphysPWalk", "_QMphysPWalk", "_QMphysPWalk"},
    {"__phys_MOD_", "__phys_MOD_", "__phys_MOD_"},
    {"__CPU_MOD_SET", "__CPU_MOD_SET", "__CPU_MOD_SET"},
    {"phys_MOD_walk", "phys_MOD_walk", "phys_MOD_walk"},
    /* Ada: names without an operator could be C's */
    {"fib__p__Oadd", "fib.p.\"+\"", "fib.p.\"+\""},
    {"vectors__Omultiply__2", "vectors.\"*\"", "vectors.\"*\""},
    {"_ada_hello", "hello", "hello"},
    {"fib__p__walk", "fib__p__walk", "fib__p__walk"},
    {"gtk__Open_file", "gtk__Open_file", "gtk__Open_file"},
    /* Pascal */
    {"P$FIB_$$_WALK$LONGINT$DOUBLE$$INT64", "FIB.WALK(LONGINT, DOUBLE)", "FIB.WALK"},
    {"SHAPES$_$TSHAPE_$__$$_MOVE$DOUBLE", "SHAPES.TSHAPE.MOVE(DOUBLE)", "SHAPES.TSHAPE.MOVE"},
    {"SYSTEM_$$_RANDOM$$DOUBLE", "SYSTEM.RANDOM()", "SYSTEM.RANDOM"},
    {"SYSTEM_$$_HALT", "SYSTEM.HALT", "SYSTEM.HALT"},
    /* D */
    {"_D3std5stdio4File5closeMFZv", "std.stdio.File.close()", "std.stdio.File.close"},
    /* Go */
    {"main.(*T).M", "main.(*T).M", "main.(*T).M"},
    {"runtime.(*mheap).allocSpan", "runtime.(*mheap).allocSpan", "runtime.(*mheap).allocSpan"},
    {"example.com/foo/bar.(*T[go.shape.int]).M", "example.com/foo/bar.(*T[go.shape.int]).M",
     "bar.(*T[...]).M"},
    {"main.Map[go.shape.int_0,go.shape.string_1]", "main.Map[go.shape.int_0,go.shape.string_1]",
     "main.Map[...]"},
    {"main.main.func1.2", "main.main.func1.2", "main.main.func1.2"},
    /* not quite names */
    {"_Z", "_Z", "_Z"},
    {"_ZN", "_ZN", "_ZN"},
    {"_Zoo", "_Zoo", "_Zoo"},
    {"__Zoo", "__Zoo", "__Zoo"},
    {"_RB_INSERT", "_RB_INSERT", "_RB_INSERT"},
    {"_D2x", "_D2x", "_D2x"},
    {"$s4main3fooyyF", "$s4main3fooyyF", "$s4main3fooyyF"},
    {"kfun:foo.Bar#baz(kotlin.Int){}kotlin.Int", "kfun:foo.Bar#baz(kotlin.Int){}kotlin.Int",
     "kfun:foo.Bar#baz(kotlin.Int){}kotlin.Int"},
    {"list.Aligned(u8,null).append", "list.Aligned(u8,null).append",
     "list.Aligned(u8,null).append"},
    {"base_GHCziBase_zdfMonadIO_info", "base_GHCziBase_zdfMonadIO_info",
     "base_GHCziBase_zdfMonadIO_info"},
    {"runtime·memmove", "runtime·memmove", "runtime·memmove"},
    {"julia_fib_123", "julia_fib_123", "julia_fib_123"},
    {"_R", "_R", "_R"},
    {"_D9", "_D9", "_D9"},
};

TEST (known)
{
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvDemangler) demangler = pv_demangler_new (arena, false);

    for (unsigned round = 0; round < 2; round++) /* the second time from the cache */
        for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
            PvDemangled names = pv_demangler_get_from (demangler, cases[i].symbol, PV_NAME_SYMBOL);
            g_assert_cmpstr (names.name, ==, cases[i].name);
            g_assert_cmpstr (names.short_name, ==, cases[i].short_name);
        }
}

/* Names that only debug information tells from those of C. */
TEST (languages)
{
    static const struct {
        const char *symbol;
        PvNameSource source;
        const char *name;
    } names[] = {
        {"fib__p__walk", PV_NAME_ADA, "fib.p.walk"},
        {"fib__p__walk", PV_NAME_NIM, "fib__p__walk"},
        {"fib__p__walk", PV_NAME_SYMBOL, "fib__p__walk"},
        {"walk", PV_NAME_ADA, "walk"},
        {"fib__p__workerTB", PV_NAME_ADA, "fib.p.worker"},
        {"fib__p__workerTB.1", PV_NAME_ADA, "fib.p.worker"},
        {"workerTB", PV_NAME_ADA, "worker"},
        {"fib__p__workerTB", PV_NAME_SYMBOL, "fib__p__workerTB"},
        {"fib__listSO", PV_NAME_ADA, "fib.list'Output"},
        {"fib__listSR__2", PV_NAME_ADA, "fib.list'Read"},
        {"fib__listDF", PV_NAME_ADA, "fib.list.Finalize"},
        {"fib__list___elabb", PV_NAME_ADA, "fib.list'Elab_Body"},
        {"_ada_fib__listSO", PV_NAME_SYMBOL, "fib.list'Output"},
        /* libiberty's are longer than the memory it gets for them. */
        {"aSO__aSO__aSO__aSO__aSO__aSO", PV_NAME_ADA, "aSO__aSO__aSO__aSO__aSO__aSO"},
        {"_ada_aSO__aSO__aSO__aSO__aSO", PV_NAME_SYMBOL, "_ada_aSO__aSO__aSO__aSO__aSO"},
        {"aSO__bDF", PV_NAME_ADA, "aSO__bDF"},
        {"fib__math_u12", PV_NAME_NIM, "math.fib"},
        {"fib__math_u12", PV_NAME_SYMBOL, "fib__math_u12"},
        {"add__pureZhashes_u3_2", PV_NAME_NIM, "pure/hashes.add"},
        {"fib__9cCXvXtqRS9cNAXQQPzkf0w", PV_NAME_NIM, "fib"},
        {"_Z3fooi", PV_NAME_NIM, "foo(int)"},
        {"__phys_MOD_walk", PV_NAME_FORTRAN, "phys::walk"},
        {"camlFib__walk_81", PV_NAME_FORTRAN, "camlFib__walk_81"},
        {"SYSTEM_$$_HALT", PV_NAME_PASCAL, "SYSTEM.HALT"},
        {"__phys_MOD_walk", PV_NAME_PASCAL, "__phys_MOD_walk"},
        {"camlFib__walk_81", PV_NAME_WRITTEN, "camlFib__walk_81"},
        {"_ada_hello", PV_NAME_WRITTEN, "_ada_hello"},
        {"_Z3fooi", PV_NAME_WRITTEN, "foo(int)"},
        {"__dl__ZN6soinfo4linkEv", PV_NAME_LINKER, "[linker]soinfo::link()"},
        {"__dl___errno", PV_NAME_LINKER, "[linker]__errno"},
        {"_Z3fooi", PV_NAME_LINKER, "foo(int)"},
        {"__dl_iterate_phdr", PV_NAME_SYMBOL, "__dl_iterate_phdr"},
    };
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvDemangler) demangler = pv_demangler_new (arena, false);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        g_assert_cmpstr (pv_demangler_get_from (demangler, names[i].symbol, names[i].source).name,
                         ==, names[i].name);
}

/* Names that other tools have demangled already. */
TEST (shorten)
{
    static const struct {
        const char *name, *short_name;
    } names[] = {
        {"ns::C<int>::f(std::vector<int>) const", "ns::C::f"},
        {"void", "void"},
        {"<unknown>", "<unknown>"},
        {"<&mut I as core::iter::Iterator>::next", "<&mut I as core::iter::Iterator>::next"},
        {"<[T]>::len", "<[T]>::len"},
        {"<fn(u8) -> u8 as T<X>>::call", "<fn(u8) -> u8 as T>::call"},
        {"a<b::d", "a<b::d"}, /* unbalanced: left alone */
        {"f((a > b), c)", "f"},
        {"operator<", "operator<"},
        {"my_operator<int>", "my_operator"},
        {"[unknown]", "[unknown]"},
        {"(anonymous)", "(anonymous)"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        assert_string (pv_shorten_name (names[i].name), names[i].short_name);
}

/* Names as other tools write them: without parameters, and with what differs between builds. */
TEST (other_styles)
{
    static const struct {
        const char *name, *bare, *unified;
        bool has_parameters;
    } names[] = {
        {"f(int) const", "f", NULL, true},
        {"f", "f", NULL, false},
        {"A<B<int> >::f(int)", "A<B<int>>::f", NULL, true},
        {"A::operator()(int)", "A::operator()", NULL, true},
        {"A::operator()", "A::operator()", NULL, false},
        {"(anonymous namespace)", "(anonymous namespace)", NULL, false},
        {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()", NULL,
         true},
        {"f(int) (.cold)", "f(int) (.cold)", "f(int) [clone .cold]", false},
        {"f(int) [clone .llvm.123]", "f", "f(int)", true},
        {"f.llvm.123", "f.llvm.123", "f", false},
        {"void t<int>(int)", "void t<int>", "t<int>(int)", true},
        {"a::b::h0123456789abcdef", "a::b::h0123456789abcdef", "a::b", false},
        {"free@@GLIBC_2.2.5", "free@@GLIBC_2.2.5", "free", false},
        {"user@host", "user@host", NULL, false},
        {"__GI___libc_free", "__GI___libc_free", "__libc_free", false},
        {"__GI_", "__GI_", NULL, false},
        {"clock_gettime@@GLIBC_2.17", "clock_gettime@@GLIBC_2.17", "clock_gettime", false},
        {"runtime.goexit.abi0", "runtime.goexit.abi0", "runtime.goexit", false},
        {".abi0", ".abi0", NULL, false},
        {"f(int)@plt", "f@plt", NULL, true},
        {"virtual thunk to A::f()", "virtual thunk to A::f", NULL, false},
        {"", "", NULL, false},
        {")", ")", NULL, false},
        {"f (g)", "f (g)", NULL, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *unified = pv_unify_name (names[i].name);
        assert_string (pv_strip_parameters (names[i].name), names[i].bare);
        g_assert_cmpstr (unified, ==, names[i].unified);
        g_assert_cmpint (pv_has_parameters (names[i].name), ==, names[i].has_parameters);
    }
}

/* Some thousand names out of real programs: what must hold for all of them. */
TEST (many)
{
    g_autofree char *path =
        g_build_filename (g_getenv ("PV_TEST_DATA"), "..", "unit", "symbolize", "names.txt", NULL);
    g_autofree char *text = NULL;
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvDemangler) demangler = pv_demangler_new (arena, false);
    unsigned n_demangled = 0;

    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        PvDemangled names = pv_demangler_get (demangler, *line);
        size_t len = strlen (names.short_name);
        if (**line == '\0')
            continue;
        g_assert_cmpuint (len, >, 0);
        g_assert_cmpuint (len, <=, strlen (names.name));
        g_assert_false (g_str_has_suffix (names.short_name, ":"));
        g_assert_null (strstr (names.short_name, "::::"));
        n_demangled += strcmp (names.name, *line) != 0;
        bool is_rust =
            strstr (names.name, " as ") != NULL || strstr (names.name, "<impl") != NULL ||
            strstr (names.short_name, "<&") != NULL || strstr (names.short_name, "<[") != NULL ||
            strstr (names.short_name, "<dyn") != NULL || g_str_has_prefix (*line, "_R");
        if (g_str_has_prefix (*line, "_Z") && !is_rust) {
            const char *angle = strchr (names.short_name, '<');
            g_assert_true (angle == NULL || strstr (names.short_name, "operator<") != NULL ||
                           strstr (names.short_name, "operator-") != NULL);
        }
    }
    g_assert_cmpuint (n_demangled, >, 1500);
}

/* Substitutions that double with each step: a few hundred bytes that stand for gigabytes. */
TEST (bomb)
{
    g_autoptr (GString) symbol = g_string_new ("_Z1fSt4pairIiiES_");

    g_string_truncate (symbol, 0);
    g_string_append (symbol, "_Z1fI");
    g_string_append (symbol, "1AIiiE");
    for (char c = '0'; c <= '9'; c++)
        g_string_append_printf (symbol, "S%c_I%s%sE", '_', "S0_", "S0_");
    g_string_append (symbol, "EvT_");
    for (unsigned i = 0; i < 30; i++)
        g_string_append_printf (symbol, "M%s%s", "S1_", "S1_");
    g_free (pv_demangle (symbol->str, true));

    /* The simplest one: f(pair<X, X>) with X the pair before it. */
    g_string_assign (symbol, "_Z1f1XIiiE");
    for (unsigned i = 0; i < 40; i++) {
        static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        if (i == 0)
            g_string_append (symbol, "S_IS0_S0_E");
        else if (i + 1 < 36)
            g_string_append_printf (symbol, "S_IS%c_S%c_E", digits[i], digits[i]);
    }
    g_autofree char *name = pv_demangle (symbol->str, true);
    g_assert_true (name == NULL || strlen (name) <= 65536);

    /* Deep nesting must not exhaust the stack. */
    g_string_assign (symbol, "_Z1f");
    for (unsigned i = 0; i < 20000; i++)
        g_string_append_c (symbol, 'P');
    g_string_append_c (symbol, 'i');
    g_free (pv_demangle (symbol->str, true));
    g_string_assign (symbol, "_D1a1b");
    for (unsigned i = 0; i < 30000; i++)
        g_string_append_c (symbol, 'P');
    g_string_append_c (symbol, 'i');
    g_free (pv_demangle (symbol->str, true));
    g_string_assign (symbol, "");
    for (unsigned i = 0; i < 100000; i++)
        g_string_append (symbol, "<(");
    g_free (pv_shorten_name (symbol->str));
}

/* D: b is a tuple of 40 types, of which each is a tuple of two references to the one before. */
TEST (d_bomb)
{
    g_autoptr (GString) symbol = g_string_new ("_D1a1bB40i");
    size_t previous = symbol->len - 1;
    for (unsigned i = 1; i < 40; i++) {
        size_t start = symbol->len;
        g_string_append (symbol, "B2");
        for (unsigned k = 0; k < 2; k++)
            g_string_append_printf (symbol, "Q%c", (char)('a' + (symbol->len - previous)));
        previous = start;
    }
    g_autofree char *name = pv_demangle (symbol->str, true);
    g_assert_true (name == NULL || strlen (name) <= 65536);

    /* A few references are ordinary. */
    g_string_assign (symbol, "_D1a1bFS1a1cQfZv");
    assert_string (pv_demangle (symbol->str, true), "a.b(a.c, a.c)");
}

TEST (off)
{
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvDemangler) demangler = pv_demangler_new (arena, true);
    PvDemangled names = pv_demangler_get (demangler, "_Z3fooi");

    g_assert_cmpstr (names.name, ==, "_Z3fooi");
    g_assert_cmpstr (names.short_name, ==, "_Z3fooi");
}

/* The short form is that of the name without parameters, however it is found. */
TEST (short_of_symbol)
{
    static const char *const symbols[] = {
        "_Z1fv",
        "__Z1fi",
        "_ZN1a1bIiEEvT_",
        "_ZN12_GLOBAL__N_11fEi",
        "_ZNK1a1bEv",
        "_ZZ1fiENKUlvE_clEv",
        "_ZZ1fPFivEENKUlS0_E_clES0_",
        "_ZN1aIFivEE1fEv",
        "_ZN1aIPFivEE1fEv",
        "_ZN1aIRFivEE1fEv",
        "_ZN1aIM1bKFivEE1fEv",
        "_ZNK1acvPFivEEv",
        "_ZNK1acvM1biEv",
        "_ZTIFivE",
        "_ZTIPFivE",
        "_ZTSZ1fvEUlPFivEE_",
        "__ZTIFivE",
        "_ZN1aplERKS_",
        "_ZN1aclEi",
        "_ZN1a1bEi.part.0",
        "_RNvC6_123foo3bar",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (symbols); i++) {
        g_autofree char *full = pv_demangle (symbols[i], true);
        g_autofree char *plain = pv_demangle (symbols[i], false);
        g_test_message ("%s: %s, %s", symbols[i], full, plain);
        g_assert_true (full != NULL && plain != NULL);
        g_autofree char *expected = pv_shorten_name (plain);
        assert_string (pv_demangle_short (symbols[i], full), expected);
    }
}
