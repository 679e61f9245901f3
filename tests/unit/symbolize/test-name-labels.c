/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/symbolize/names/name-labels.h"

#include <string.h>

#include "core/model/build/builder.h"
#include "core/symbolize/names/demangle.h"

enum { MAX_NAMES = 4 };

typedef struct {
    const char *names[MAX_NAMES + 1];
    const char *labels[MAX_NAMES];
} Case;

static const Case cases[] = {
    /* alone: the short name */
    {{"ns::f<int>(int)"}, {"ns::f"}},
    /* the arguments that differ; an ellipsis for a run of others */
    {{"g::Refine<g::Mesh<double, 3>, 2>::apply(int)",
      "g::Refine<g::Mesh<double, 3>, 4>::apply(int)"},
     {"g::Refine<…, 2>::apply", "g::Refine<…, 4>::apply"}},
    {{"g::Refine<a, b, 2, c>::apply()", "g::Refine<a, b, 4, c>::apply()"},
     {"g::Refine<…, 2, …>::apply", "g::Refine<…, 4, …>::apply"}},
    /* what separates comes from the left: the allocator goes with the element */
    {{"std::vector<int, std::allocator<int>>::size() const",
      "std::vector<long, std::allocator<long>>::size() const"},
     {"std::vector<int, …>::size", "std::vector<long, …>::size"}},
    /* shortened themselves, as far as they still differ */
    {{"Bin<std::plus<double>>::eval(double) const", "Bin<std::minus<double>>::eval(double) const"},
     {"Bin<std::plus>::eval", "Bin<std::minus>::eval"}},
    {{"sort<std::vector<int>>(int)", "sort<std::vector<long>>(int)", "sort<std::list<int>>(int)"},
     {"sort<std::vector<int>>", "sort<std::vector<long>>", "sort<std::list>"}},
    /* two arguments are needed */
    {{"f<1, 1>()", "f<1, 2>()", "f<2, 1>()"}, {"f<1, 1>", "f<1, 2>", "f<2, 1>"}},
    /* overloads, constness, nothing at all */
    {{"S::add(int, char)", "S::add(int, long)"}, {"S::add(…, char)", "S::add(…, long)"}},
    {{"S::add(int)", "S::add(int, long)"}, {"S::add(…)", "S::add(…, long)"}},
    {{"S::begin()", "S::begin() const"}, {"S::begin()", "S::begin() const"}},
    {{"S::get(int)", "S::get(int) const"}, {"S::get(…)", "S::get(…) const"}},
    {{"f()", "f(int)"}, {"f()", "f(int)"}},
    /* a template and none; clones */
    {{"f(int)", "f<int>(int)"}, {"f(…)", "f<…>(…)"}},
    {{"f(int)", "f(int) [clone .cold]"}, {"f(…)", "f(…) [clone .cold]"}},
    {{"f<a, b>(int)", "f<a, c>(int)", "f<a, b>"}, {"f<…, b>(…)", "f<…, c>(…)", "f<…>"}},
    {{"f(int) [clone .part.0]", "f(int) [clone .cold]"}, {"f [clone .part.0]", "f [clone .cold]"}},
    /* PLT entries, other languages, brackets that are none */
    {{"f<int>(int)@plt", "f<long>(long)@plt"}, {"f<int>@plt", "f<long>@plt"}},
    {{"example.com/a/b.Map[go.shape.int]", "example.com/a/b.Map[go.shape.string]"},
     {"b.Map[go.shape.int]", "b.Map[go.shape.string]"}},
    {{"alloc::vec::Vec<u8>::push", "alloc::vec::Vec<u16>::push"},
     {"alloc::vec::Vec<u8>::push", "alloc::vec::Vec<u16>::push"}},
    {{"operator<< <int>(int)", "operator<< <long>(long)"},
     {"operator<< <int>", "operator<< <long>"}},
    {{"std::__cxx11::f()", "std::f()"}, {"std::__cxx11::f()", "std::f()"}},
};

TEST (cases)
{
    for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
        char *labels[MAX_NAMES] = {0};
        size_t n = 0;
        while (cases[c].names[n] != NULL)
            n++;
        pv_name_labels_make (cases[c].names, n, labels);
        for (size_t i = 0; i < n; i++) {
            g_assert_cmpstr (labels[i], ==, cases[c].labels[i]);
            g_free (labels[i]);
        }
    }
}

static void
append_random_name (GRand *random, GString *name, unsigned depth)
{
    static const char *const words[] = {"a", "b", "ns::c", "operator<", "f", "{lambda(int)#1}"};
    g_string_append (name, words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))]);
    for (unsigned i = 0; i < 2; i++) {
        int n = depth < 3 ? g_rand_int_range (random, -1, 4) : -1;
        for (int a = 0; a < n; a++) {
            g_string_append (name, a > 0 ? ", " : i == 0 ? "<" : "(");
            append_random_name (random, name, depth + 1);
        }
        if (n > 0)
            g_string_append_c (name, i == 0 ? '>' : ')');
    }
}

/* Different names have different labels, whatever their form, and also hostile ones. */
TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    for (unsigned round = 0; round < 300; round++) {
        g_autoptr (GHashTable) names =
            g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        for (unsigned i = 0; i < 30; i++) {
            GString *name = g_string_new (NULL);
            append_random_name (random, name, 0);
            if (round % 3 == 0 && name->len > 1) /* brackets do not match */
                g_string_erase (name, g_rand_int_range (random, 0, (gint32)name->len), 1);
            g_hash_table_add (names, g_string_free (name, FALSE));
        }
        guint n;
        g_autofree const char **list = (const char **)g_hash_table_get_keys_as_array (names, &n);
        g_autofree char **labels = g_new0 (char *, n);
        pv_name_labels_make (list, n, labels);
        g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
        for (guint i = 0; i < n; i++)
            g_assert_true (g_hash_table_add (seen, labels[i]));
    }
}

static PvFunctionId
add_function (PvSymbolBuilder *builder, const char *name, PvModuleId module)
{
    g_autofree char *short_name = pv_shorten_name (name);
    PvFunction function = {.name = name, .short_name = short_name, .module = module};
    return pv_symbol_builder_function (builder, &function);
}

/* Labels change as more functions become known; published tables do not. */
TEST (builder)
{
    g_autoptr (PvProfileBuilder) profiles = pv_profile_builder_new ();
    PvModule module = {.path = "/bin/a", .kind = PV_MODULE_FILE};
    PvModuleId a = pv_profile_builder_add_module (profiles, &module);
    module.path = "/bin/b";
    PvModuleId b = pv_profile_builder_add_module (profiles, &module);
    g_autoptr (PvProfile) snapshot = pv_profile_builder_snapshot (profiles);
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (snapshot);
    g_autoptr (PvNameLabels) labels = pv_name_labels_new (builder);
    g_autoptr (PvPool) pool = pv_pool_new (2);
    PvFunctionId one = add_function (builder, "f<int>(int)", a);
    PvFunctionId other = add_function (builder, "f<long>(long)", b);
    pv_name_labels_update (labels, pool);
    g_autoptr (PvSymbolTable) first = pv_symbol_builder_publish (builder, false);
    g_assert_cmpstr (first->functions[one].label, ==, "f");
    g_assert_cmpstr (first->functions[other].label, ==, "f");

    PvFunctionId two = add_function (builder, "f<char>(char)", a);
    pv_name_labels_update (labels, pool);
    pv_name_labels_update (labels, pool);
    g_autoptr (PvSymbolTable) second = pv_symbol_builder_publish (builder, true);
    g_assert_cmpstr (first->functions[one].label, ==, "f");
    g_assert_cmpstr (second->functions[one].label, ==, "f<int>");
    g_assert_cmpstr (second->functions[two].label, ==, "f<char>");
    g_assert_cmpstr (second->functions[other].label, ==, "f");
    g_assert_cmpstr (second->functions[two].short_name, ==, "f");
}

/* However many workers there are, labels are the same. */
TEST (many)
{
    enum { N_GROUPS = 3000, N_TABLES = 2 };
    g_autoptr (PvProfileBuilder) profiles = pv_profile_builder_new ();
    g_autoptr (PvProfile) snapshot = pv_profile_builder_snapshot (profiles);
    PvSymbolTable *tables[N_TABLES];
    for (unsigned t = 0; t < N_TABLES; t++) {
        g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (snapshot);
        g_autoptr (PvNameLabels) labels = pv_name_labels_new (builder);
        g_autoptr (PvPool) pool = pv_pool_new (t == 0 ? 1 : 3);
        for (unsigned i = 0; i < 3 * N_GROUPS; i++) {
            g_autofree char *name =
                g_strdup_printf ("f%u<a, b%u>(int)", i % N_GROUPS, i / N_GROUPS);
            add_function (builder, name, 0);
        }
        pv_name_labels_update (labels, pool);
        tables[t] = pv_symbol_builder_publish (builder, true);
    }
    for (unsigned f = 1; f <= 3 * N_GROUPS; f++) {
        g_autofree char *expected =
            g_strdup_printf ("f%u<…, b%u>", (f - 1) % N_GROUPS, (f - 1) / N_GROUPS);
        g_assert_cmpstr (tables[0]->functions[f].label, ==, expected);
        g_assert_cmpstr (tables[1]->functions[f].label, ==, expected);
    }
    for (unsigned t = 0; t < N_TABLES; t++)
        pv_symbol_table_free (tables[t]);
}
