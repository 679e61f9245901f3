/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pango/pangocairo.h>
#include <string.h>

#include "../cases.h"
#include "app/widgets/cut-text.h"

static PangoContext *context;

static PangoLayout *
make_layout (const char *text)
{
    PangoLayout *layout = pango_layout_new (context);
    pango_layout_set_text (layout, text, -1);
    return layout;
}

static int
width_of (const char *text)
{
    g_autoptr (PangoLayout) layout = make_layout (text);
    int width;
    pango_layout_get_size (layout, &width, NULL);
    return width;
}

/* The text is the whole one without a piece, fits, and has no more room than for a character. */
static void
assert_cut (const char *whole, int width, gboolean is_start)
{
    g_autoptr (PangoLayout) layout = make_layout (whole);
    g_autofree char *text = pv_cut_text (layout, width, is_start);
    const char *ellipsis = strstr (text, "…");
    g_assert_nonnull (ellipsis);
    g_assert_true (g_utf8_validate (text, -1, NULL));
    g_assert_true (strncmp (whole, text, (size_t)(ellipsis - text)) == 0);
    g_assert_true (g_str_has_suffix (whole, ellipsis + strlen ("…")));
    g_assert_true (!is_start || ellipsis == text);
    g_assert_true (ellipsis == text || ellipsis[-1] != ' ');
    g_assert_true (ellipsis[strlen ("…")] != ' ');
    int used = width_of (text);
    g_assert_cmpint (used, <=, MAX (width, width_of ("…")));
    g_assert_cmpint (width - used, <=, 3 * width_of ("W"));
    if (!is_start && strpbrk (whole, "<(") == NULL) {
        g_autofree char *head = g_strndup (text, (size_t)(ellipsis - text));
        g_assert_cmpint (ABS (width_of (head) - width_of (ellipsis + strlen ("…"))), <=,
                         3 * width_of ("W"));
    }
}

TEST (cut)
{
    static const char *const texts[] = {
        "std::sub_match<__gnu_cxx::__normal_iterator<char const*, std::string> >::match",
        "geometry::Cloud::weigh(std::vector<geometry::Vec> const&)::{lambda(double)#1}::operator()",
        "libserver.so  ·  /usr/local/Cellar/go/1.15.6/libexec/src/net/net.go",
        "пространство::имён::функция<шаблон, параметры>::вызов",
        "engine_with_a_long_name_that_has_no_brackets_at_all_and_goes_on",
        "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
        int whole = width_of (texts[i]);
        for (int width = 0; width < whole; width += 3 * PANGO_SCALE) {
            assert_cut (texts[i], width, FALSE);
            assert_cut (texts[i], width, TRUE);
        }
    }
}

/* Every width at which what is outside of the arguments fits cuts nothing but these. */
TEST (arguments)
{
    static const struct {
        const char *head, *arguments, *tail;
    } names[] = {
        {"std::map<", "std::string, std::vector<int, std::allocator<int> > ", ">::insert"},
        {"a::operator<<(", "std::basic_ostream<char>&, a::Value const&", ")"},
        {"a::operator->(", "one_argument, another_argument, and_a_third", ") const"},
        {"<", "alloc::vec::Vec<T, A> as core::ops::Drop", ">::drop"},
        {"f<short>(", "the longest of all arguments, which is cut", ")::inner"},
        {"a::operator()(", "first, second, third, fourth, fifth", ") const"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *whole =
            g_strconcat (names[i].head, names[i].arguments, names[i].tail, NULL);
        g_autofree char *least = g_strconcat (names[i].head, "…", names[i].tail, NULL);
        g_autoptr (PangoLayout) layout = make_layout (whole);
        for (int width = width_of (least) + PANGO_SCALE; width < width_of (whole) - PANGO_SCALE;
             width += 12 * PANGO_SCALE) {
            g_autofree char *text = pv_cut_text (layout, width, FALSE);
            g_assert_true (g_str_has_prefix (text, names[i].head));
            g_assert_true (g_str_has_suffix (text, names[i].tail));
            g_assert_nonnull (strstr (text, "…"));
        }
    }
}

/* An accent stays with its letter. */
TEST (accents)
{
    g_autoptr (PangoLayout) layout = make_layout ("ae\u0301xxxxxxxxxxxxxxxxxxxxze\u0301");
    for (int width = width_of ("…"); width < width_of ("aexxxxxxxxxxxxx"); width += PANGO_SCALE) {
        g_autofree char *text = pv_cut_text (layout, width, FALSE);
        const char *ellipsis = strstr (text, "…");
        g_assert_false (g_str_has_prefix (ellipsis + strlen ("…"), "\u0301"));
        g_assert_false (ellipsis > text && ellipsis[-1] == 'e');
    }
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    g_autoptr (PangoFontMap) map = pango_cairo_font_map_new ();
    context = pango_font_map_create_context (map);
    int status = g_test_run ();
    g_object_unref (context);
    return status;
}
