/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of the modules and packages that have most of a profile. */
#include "../cases.h"
#include "../made.h"
#include "core/model/build/builder.h"
#include "core/model/profile/owners.h"

typedef struct {
    const char *path;
    const char *function; /* calls nothing */
    uint64_t weight;
    PvModuleKind kind;
    bool is_main;
} Place;

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvFunctionId function[32]; /* by place */
} Made;

/* Each place is called by the first one. */
static Made
make (const Place *places, unsigned n)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvStackId root = 0;
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    for (unsigned i = 0; i < n; i++) {
        const PvModule module = {.path = places[i].path,
                                 .kind = places[i].kind,
                                 .is_main = places[i].is_main,
                                 .is_kernel = places[i].kind == PV_MODULE_KERNEL};
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        PvNewSample sample = {.time_ns = 1 + i, .stack = made_stack (builder, root, id, i)};
        pv_profile_builder_add_sample (builder, 0, &sample, &places[i].weight);
        root = i == 0 ? sample.stack : root;
    }
    Made made = {.profile = pv_profile_builder_snapshot (builder)};
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (made.profile);
    for (unsigned i = 0; i < n; i++)
        made.function[i] = made_function (names, i + 1, places[i].function,
                                          made.profile->module_of_location[i + 1]);
    made.symbols = pv_symbol_builder_publish (names, true);
    return made;
}

static void
clear (Made *made)
{
    pv_symbol_table_free (made->symbols);
    pv_profile_free (made->profile);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Made, clear)

static unsigned
owner_of (const Made *made, unsigned place, PvOwnedBy by)
{
    const PvOwners *owners = pv_symbol_table_get_owners (made->symbols, made->profile);
    return owners->owner_of_function[by][made->function[place]];
}

static const char *
name_of (const Made *made, unsigned place, PvOwnedBy by)
{
    const PvOwners *owners = pv_symbol_table_get_owners (made->symbols, made->profile);
    unsigned owner = owner_of (made, place, by);
    return owner < PV_N_OWNERS ? owners->names[by][owner] : NULL;
}

static const Place many[] = {
    {"/home/me/server", "main", 100, PV_MODULE_FILE, true},
    {"/opt/app/liba.so", "a", 90, PV_MODULE_FILE, false},
    {"/opt/app/libb.so", "b", 80, PV_MODULE_FILE, false},
    {"/opt/app/libc.so", "c", 70, PV_MODULE_FILE, false},
    {"/usr/lib/libc.so.6", "memcpy", 60, PV_MODULE_FILE, false},
    {"/usr/lib/libm.so.6", "sin", 50, PV_MODULE_FILE, false},
    {"/usr/lib/libz.so.1", "inflate", 40, PV_MODULE_FILE, false},
    {"/opt/app/libd.so", "d", 30, PV_MODULE_FILE, false},
    /* The eight with numbers are above. */
    {"/opt/app/libe.so", "e", 20, PV_MODULE_FILE, false},
    {"/usr/lib/libpthread.so.0", "lock", 10, PV_MODULE_FILE, false},
    {"[kernel.kallsyms]", "read", 200, PV_MODULE_KERNEL, false},
};

/* The eight that have most get numbers, the program the first one, whatever the kernel has; a
 * profile with more that is small gives them the same. */
TEST (numbers)
{
    static const unsigned n_places[] = {8, 9, G_N_ELEMENTS (many)};
    unsigned numbers[8];
    for (size_t n = 0; n < G_N_ELEMENTS (n_places); n++) {
        g_auto (Made) made = make (many, n_places[n]);
        unsigned taken = 0;
        for (unsigned i = 0; i < 8; i++) {
            unsigned owner = owner_of (&made, i, PV_OWNED_BY_MODULE);
            g_assert_cmpuint (owner, <, PV_N_OWNERS);
            g_assert_cmpuint (taken & 1u << owner, ==, 0);
            g_assert_true (n == 0 || numbers[i] == owner);
            g_autofree char *name = g_path_get_basename (many[i].path);
            g_assert_cmpstr (name_of (&made, i, PV_OWNED_BY_MODULE), ==, name);
            taken |= 1u << owner;
            numbers[i] = owner;
        }
        g_assert_cmpuint (numbers[0], ==, 0);
        if (n < 2)
            continue;
        g_assert_cmpuint (owner_of (&made, 8, PV_OWNED_BY_MODULE), ==, PV_OWNER_OTHER);
        g_assert_cmpuint (owner_of (&made, 9, PV_OWNED_BY_MODULE), ==, PV_OWNER_SYSTEM);
        g_assert_cmpuint (owner_of (&made, 10, PV_OWNED_BY_MODULE), ==, PV_OWNER_KERNEL);
    }
}

/* Packages have numbers wherever they are; what is in none has its module's. */
TEST (packages)
{
    static const Place places[] = {
        {"/home/me/my-app", "my_app::main", 10, PV_MODULE_FILE, true},
        {"/home/me/my-app", "serde::read", 50, PV_MODULE_FILE, true},
        {"/home/me/my-app", "serde::write", 5, PV_MODULE_FILE, true},
        {"/home/me/my-app", "core::fmt::write", 20, PV_MODULE_FILE, true},
        {"/home/me/my-app", "ZSTD_compress", 5, PV_MODULE_FILE, true},
        {"/usr/lib/libc.so.6", "memcpy", 10, PV_MODULE_FILE, false},
    };
    static const char *const names[] = {"my_app", "serde", "serde", "core", "my-app", "libc.so.6"};
    g_auto (Made) made = make (places, G_N_ELEMENTS (places));
    for (unsigned i = 0; i < G_N_ELEMENTS (places); i++)
        g_assert_cmpstr (name_of (&made, i, PV_OWNED_BY_PACKAGE), ==, names[i]);
    g_assert_cmpuint (owner_of (&made, 0, PV_OWNED_BY_PACKAGE), ==, 0);
    g_assert_cmpuint (owner_of (&made, 1, PV_OWNED_BY_PACKAGE), ==,
                      owner_of (&made, 2, PV_OWNED_BY_PACKAGE));
    /* By module all of the program is one. */
    for (unsigned i = 0; i < 5; i++)
        g_assert_cmpstr (name_of (&made, i, PV_OWNED_BY_MODULE), ==, "my-app");
}

/* Packages tell more where one module has 80 % of what is not the kernel's, and has packages. */
TEST (dominant)
{
    static const struct {
        uint64_t packaged, plain, library, kernel;
        bool is_of_packages;
    } cases[] = {
        {80, 5, 15, 0, true}, {80, 5, 15, 900, true}, {70, 5, 25, 0, false},
        {2, 95, 3, 0, false}, {0, 0, 0, 10, false},   {0, 0, 0, 0, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        const Place places[] = {
            {"/home/me/server", "main.serve", cases[i].packaged, PV_MODULE_FILE, true},
            {"/home/me/server", "memmove", cases[i].plain, PV_MODULE_FILE, true},
            {"/usr/lib/libc.so.6", "std::copy", cases[i].library, PV_MODULE_FILE, false},
            {"[kernel.kallsyms]", "read", cases[i].kernel, PV_MODULE_KERNEL, false},
        };
        g_auto (Made) made = make (places, G_N_ELEMENTS (places));
        g_assert_cmpint (pv_symbol_table_get_owners (made.symbols, made.profile)->is_of_packages,
                         ==, cases[i].is_of_packages);
    }
}

/* Without a module it is the package that counts; what has neither is one owner, if it has a name
 * at all. */
TEST (bare_names)
{
    static const Place places[] = {
        {"", "tokio::run", 10, PV_MODULE_UNKNOWN, false},
        {"", "main", 5, PV_MODULE_UNKNOWN, false},
        {"", "work", 5, PV_MODULE_UNKNOWN, false},
        {"", "[no stack recorded]", 5, PV_MODULE_UNKNOWN, false},
    };
    g_auto (Made) made = make (places, G_N_ELEMENTS (places));
    g_assert_cmpstr (name_of (&made, 0, PV_OWNED_BY_MODULE), ==, "tokio");
    g_assert_cmpstr (name_of (&made, 1, PV_OWNED_BY_MODULE), ==, "");
    g_assert_cmpuint (owner_of (&made, 1, PV_OWNED_BY_MODULE), ==,
                      owner_of (&made, 2, PV_OWNED_BY_MODULE));
    g_assert_cmpuint (owner_of (&made, 3, PV_OWNED_BY_MODULE), ==, PV_OWNER_UNKNOWN);
}
