/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "render/draw/label.h"

/* Every character is ten wide, so widths count characters. */
static PvAdvances advances;

static void
assert_elided (const char *name, const char *expected)
{
    char buffer[PV_LABEL_MAX];
    if (!pv_label_elide (name, buffer)) {
        g_assert_cmpstr (expected, ==, NULL);
        return;
    }
    for (char *c = buffer; *c != '\0'; c++)
        if (*c == PV_LABEL_ELLIPSIS)
            *c = '#';
    g_assert_cmpstr (buffer, ==, expected);
}

TEST (elide)
{
    assert_elided ("main", NULL);
    assert_elided ("std::vector<int, std::allocator<int>>::push_back(int const&)",
                   "std::vector<#>::push_back");
    assert_elided ("void std::sort<int*>(int*, int*)", "std::sort<#>");
    assert_elided ("std::vector<int>& ns::get<int>()", "ns::get<#>");
    assert_elided ("ns::f(int) const", "ns::f");
    assert_elided ("ns::(anonymous namespace)::f(int)", "ns::(anonymous namespace)::f");
    assert_elided ("f(int)::{lambda(int)#1}::operator()(int) const",
                   "f::{lambda(int)#1}::operator()");
    assert_elided ("A::operator<<(std::ostream&)", "A::operator<<");
    assert_elided ("A::operator->()", "A::operator->");
    assert_elided ("A::operator()(int)", "A::operator()");
    assert_elided ("A::operator[](unsigned long)", "A::operator[]");
    assert_elided ("bool operator< <int>(P<int> const&, P<int> const&)", "operator< <int>");
    assert_elided ("operator new(unsigned long)", "operator new");
    assert_elided ("std::basic_string<char, std::less<char> > std::operator+<char, "
                   "std::less<char> >(char const*, std::basic_string<char, std::less<char> >&&)",
                   "std::operator+<#>");
    assert_elided ("bool std::operator==<char>(A<char> const&)", "std::operator==<#>");
    assert_elided ("A::operator-(A const&)", "A::operator-");
    assert_elided ("non-virtual thunk to A::f(int)", "non-virtual thunk to A::f");
    assert_elided ("<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", NULL);
    assert_elided ("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "core::ptr::drop_in_place<#>");
    assert_elided ("main.(*T).Method", NULL);
    assert_elided ("slices.SortFunc[go.shape.int]", "slices.SortFunc[#]");
    assert_elided ("-[NSArray countByEnumerating:]", NULL);
    assert_elided ("broken<int", NULL);
    assert_elided ("broken>>(", NULL);
    assert_elided ("void broken (int)::f<x(", NULL);
    assert_elided ("", NULL);
    assert_elided ("f<(a > b)>()", "f<#>");
}

static char *
fit (const char *name, const char *short_name, bool is_symbol, int chars)
{
    char elided[PV_LABEL_MAX], text[PV_LABEL_MAX];
    PvLabelName label = {
        .name = name,
        .short_name = short_name,
        .name_width = pv_label_measure (&advances, name),
        .short_width = pv_label_measure (&advances, short_name),
        .is_symbol = is_symbol,
    };
    if (is_symbol && pv_label_elide (name, elided)) {
        label.elided = elided;
        label.elided_width = pv_label_measure (&advances, elided);
    }
    size_t len = pv_label_fit (&advances, &label, (float)chars * 10, text);
    g_assert_cmpuint (len, <=, (size_t)MAX (chars, 0));
    for (size_t i = 0; i < len; i++)
        if (text[i] == PV_LABEL_ELLIPSIS)
            text[i] = '#';
    return g_strndup (text, len);
}

static void
assert_fit (const char *name, const char *short_name, int chars, const char *expected)
{
    assert_string (fit (name, short_name, true, chars), expected);
}

TEST (fit)
{
    const char *name = "std::vector<int, std::allocator<int>>::push_back(int const&)";
    const char *short_name = "std::vector::push_back";
    assert_fit (name, short_name, 60, name);
    assert_fit (name, short_name, 59, "std::vector<#>::push_back");
    assert_fit (name, short_name, 25, "std::vector<#>::push_back");
    assert_fit (name, short_name, 24, short_name);
    assert_fit (name, short_name, 22, short_name);
    assert_fit (name, short_name, 21, "#::vector::push_back");
    assert_fit (name, short_name, 19, "#::push_back");
    assert_fit (name, short_name, 12, "#::push_back");
    assert_fit (name, short_name, 11, "push_back");
    assert_fit (name, short_name, 9, "push_back");
    assert_fit (name, short_name, 8, "push_ba#");
    assert_fit (name, short_name, 6, "push#");
    assert_fit (name, short_name, 4, "pus#");
    assert_fit (name, short_name, 3, "");
    assert_fit (name, short_name, 0, "");
    assert_fit (name, short_name, -5, "");
    assert_fit ("f", "f", 1, "f");
    assert_fit ("memcpy", "memcpy", 5, "memc#");
    assert_fit ("github.com/a/b.(*T).Method", "github.com/a/b.(*T).Method", 16, "#/b.(*T).Method");
    assert_fit ("github.com/a/b.(*T).Method", "github.com/a/b.(*T).Method", 12, "#Method");
    assert_fit ("com.example.Server.handle", "com.example.Server.handle", 15, "#Server.handle");
    assert_fit ("handle.constprop.0", "handle.constprop.0", 10, "handle.co#");
    assert_fit ("unicodeobject.c", "unicodeobject.c", 8, "unicode#");
    assert_fit ("/usr/src/main.c", "/usr/src/main.c", 10, "#/main.c");
    assert_fit ("/usr/src/main.c", "/usr/src/main.c", 5, "main#");
    assert_fit ("<A as B::C>::run", "<A as B::C>::run", 8, "#::run");
    assert_fit ("/usr/bin/python3.11", "/usr/bin/python3.11", 12, "#/python3.11");
}

TEST (range_name)
{
    char *label = fit ("libfoo.so.6+0x1234", "libfoo.so.6+0x1234", false, 12);
    g_assert_cmpstr (label, ==, "libf#+0x1234");
    g_free (label);
    label = fit ("libfoo.so.6+0x1234", "libfoo.so.6+0x1234", false, 8);
    g_assert_cmpstr (label, ==, "libfoo.#");
    g_free (label);
}

/* Whatever the bytes, a label fits its room and reads no memory that is not its own. */
TEST (random_names)
{
    static const char alphabet[] = "ab<>()[]{}:::..//+-_ &*,operator1~";
    g_autoptr (GRand) rand = g_rand_new_with_seed (5);
    for (int round = 0; round < 20000; round++) {
        size_t len = (size_t)g_rand_int_range (rand, 0, 60);
        g_autofree char *name = g_malloc (len + 1);
        for (size_t i = 0; i < len; i++)
            name[i] = alphabet[g_rand_int_range (rand, 0, sizeof alphabet - 1)];
        name[len] = '\0';
        g_free (fit (name, name, round % 7 != 0, g_rand_int_range (rand, -1, 70)));
    }
}

TEST (long_names)
{
    for (size_t len = PV_LABEL_MAX - 3; len < PV_LABEL_MAX + 4; len++) {
        g_autofree char *name = g_strnfill (len, 'x');
        g_autofree char *label = fit (name, name, true, (int)len + 10);
        size_t expected = len < PV_LABEL_MAX ? len : PV_LABEL_MAX - 1;
        g_assert_cmpuint (strlen (label), ==, expected);
        memcpy (name + len / 2, "::", 2);
        g_free (fit (name, name, true, (int)len - 1));
        memset (name, '<', len);
        g_free (fit (name, name, true, (int)len - 1));
    }
    g_autofree char *deep = g_strnfill (100000, '<');
    g_free (fit (deep, deep, true, 50));
}

/* The label comes before what would leave all of its fellows looking the same. */
TEST (list_label)
{
    static const char name[] = "g::Refine<g::Mesh<double>, 4>::apply(int)";
    static const char list_label[] = {
        'g', ':', ':', 'R', 'e', 'f', 'i', 'n', 'e', '<', PV_LABEL_ELLIPSIS,
        ',', ' ', '4', '>', '\0'};
    PvLabelName label = {
        .name = name,
        .short_name = "g::Refine",
        .label = list_label,
        .elided = "g::Refine",
        .name_width = pv_label_measure (&advances, name),
        .short_width = pv_label_measure (&advances, "g::Refine"),
        .label_width = pv_label_measure (&advances, list_label),
        .elided_width = pv_label_measure (&advances, "g::Refine"),
        .is_symbol = true,
    };
    char text[PV_LABEL_MAX];
    size_t n = strlen (list_label);
    g_assert_cmpuint (pv_label_fit (&advances, &label, label.name_width, text), ==, strlen (name));
    g_assert_cmpuint (pv_label_fit (&advances, &label, label.label_width, text), ==, n);
    g_assert_cmpmem (text, n, list_label, n);
    g_assert_cmpuint (pv_label_fit (&advances, &label, label.label_width - 1, text), ==,
                      strlen ("g::Refine"));
}

TESTS_MAIN (argc, argv)
{
    for (size_t i = 0; i < G_N_ELEMENTS (advances.of); i++)
        advances.of[i] = 10;
    pv_test_init (argc, argv);
    return g_test_run ();
}
