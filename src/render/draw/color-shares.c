/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/color-shares.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/profile/package.h"

enum { MOST_DETAILS = 6 };

static const char *
name_section (unsigned kind)
{
    static const char *const names[PV_N_SECTION_KINDS] = {
        [PV_SECTION_NONE] = "",
        [PV_SECTION_CODE] = NC_ ("legend", "Code"),
        [PV_SECTION_CONSTANTS] = NC_ ("legend", "Read-Only Data"),
        [PV_SECTION_DATA] = NC_ ("legend", "Data"),
        [PV_SECTION_ZEROS] = NC_ ("legend", "Zeros"),
        [PV_SECTION_TABLES] = NC_ ("legend", "Linking and Unwinding"),
        [PV_SECTION_SYMBOLS] = NC_ ("legend", "Symbols"),
        [PV_SECTION_DEBUG] = NC_ ("legend", "Debug Information"),
        [PV_SECTION_REST] = NC_ ("legend", "Other Sections"),
    };
    return g_dpgettext2 (GETTEXT_PACKAGE, "legend", names[kind]);
}

static const char *
name_kind (unsigned kind)
{
    static const char *const names[] = {NC_ ("legend", "Program"), NC_ ("legend", "Libraries"),
                                        NC_ ("legend", "Kernel"), NC_ ("legend", "Inlined"),
                                        NC_ ("legend", "Unknown")};
    return g_dpgettext2 (GETTEXT_PACKAGE, "legend", names[kind]);
}

const char *
pv_color_name_family (const PvProfile *profile, const PvSymbolTable *symbols, unsigned family,
                      PvColorScheme scheme)
{
    bool is_by_package = scheme == PV_COLOR_BY_PACKAGE;
    const PvOwners *owners = pv_symbol_table_get_owners (symbols, profile);
    const char *name;
    g_assert (family < PV_N_FAMILIES);
    switch (family) {
    case PV_FAMILY_NEUTRAL:
        return _ ("No Stack");
    case PV_FAMILY_OTHER:
        return is_by_package || profile->n_modules <= 1 ? _ ("Other Packages")
                                                        : _ ("Other Modules");
    case PV_FAMILY_SYSTEM:
        return _ ("System Libraries");
    case PV_FAMILY_KERNEL:
        return C_ ("legend", "Kernel");
    case PV_FAMILY_UNKNOWN:
        return C_ ("legend", "Unknown");
    default:
        if (family >= PV_FAMILY_HASH)
            return NULL;
        if (family >= PV_FAMILY_KIND)
            return name_kind (family - PV_FAMILY_KIND);
        if (family >= PV_FAMILY_SECTION)
            return name_section (family - PV_FAMILY_SECTION + 1);
        name = owners->names[is_by_package][family - PV_FAMILY_OWNER];
        return name != NULL && *name == '\0' ? _ ("No Package") : name;
    }
}

static void
free_share (gpointer data)
{
    PvColorShare *share = data;
    g_free (share->text);
    g_free (share->details);
    g_free (share);
}

static gint
compare_shares (gconstpointer a, gconstpointer b)
{
    const PvColorShare *x = *(PvColorShare *const *)a, *y = *(PvColorShare *const *)b;
    return x->weight != y->weight ? pv_order (y->weight, x->weight) : strcmp (x->text, y->text);
}

/* Modules or packages that share a colour. */
typedef struct {
    const char *name;
    double weight;
} Owned;

static gint
compare_owned (gconstpointer a, gconstpointer b)
{
    const Owned *x = a, *y = b;
    return x->weight != y->weight ? pv_order (y->weight, x->weight) : strcmp (x->name, y->name);
}

/* The module or package itself; g_free () it. */
static char *
name_owned (const PvProfile *profile, const PvFunction *function, PvColorScheme scheme)
{
    const char *module =
        function->module < profile->n_modules ? profile->modules[function->module].name : NULL;
    size_t len = 0;
    const char *package = scheme == PV_COLOR_BY_PACKAGE || module == NULL || *module == '\0'
                              ? pv_function_find_package (function, &len)
                              : NULL;
    return len > 0 ? g_strndup (package, len) : g_strdup (module != NULL ? module : "");
}

/* "liba.so, libb.so, …" */
static void
describe_owned (PvColorShare *share, GHashTable *weights)
{
    g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (Owned));
    GString *text = g_string_new (NULL);
    GHashTableIter iter;
    gpointer name, weight;
    g_hash_table_iter_init (&iter, weights);
    while (g_hash_table_iter_next (&iter, &name, &weight)) {
        Owned owned = {name, *(double *)weight};
        if (*owned.name != '\0')
            g_array_append_val (sorted, owned);
    }
    g_array_sort (sorted, compare_owned);
    for (guint i = 0; i < MIN (sorted->len, MOST_DETAILS); i++)
        g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                                g_array_index (sorted, Owned, i).name);
    if (sorted->len > MOST_DETAILS)
        g_string_append (text, ", …");
    share->details = g_string_free (text, FALSE);
}

static void
add_owned (GHashTable *weights, char *name, double weight)
{
    double *sum = g_hash_table_lookup (weights, name);
    if (sum != NULL) {
        *sum += weight;
        g_free (name);
        return;
    }
    g_hash_table_insert (weights, name, g_memdup2 (&weight, sizeof weight));
}

/* True for the groups that libraries or packages share. */
static bool
is_shared (unsigned family)
{
    return family == PV_FAMILY_OTHER || family == PV_FAMILY_SYSTEM || family == PV_FAMILY_KERNEL;
}

GPtrArray *
pv_color_shares_list (const PvProfile *profile, const PvSymbolTable *symbols,
                      const double *weight_of_function, PvColorScheme scheme)
{
    g_assert (profile != NULL && symbols != NULL && weight_of_function != NULL);
    GPtrArray *list = g_ptr_array_new_with_free_func (free_share);
    double weights[PV_N_FAMILIES] = {0};
    GHashTable *owned[PV_N_FAMILIES] = {NULL};
    PvFunctionId heaviest[PV_N_FAMILIES] = {0};
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        if (weight_of_function[f] <= 0)
            continue;
        unsigned family = pv_palette_hue (profile, symbols, f, scheme) / (unsigned)PV_N_SHADES;
        weights[family] += weight_of_function[f];
        if (weight_of_function[f] > weight_of_function[heaviest[family]] || heaviest[family] == 0)
            heaviest[family] = f;
        if (!is_shared (family))
            continue;
        if (owned[family] == NULL)
            owned[family] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
        add_owned (owned[family], name_owned (profile, &symbols->functions[f], scheme),
                   weight_of_function[f]);
    }
    for (unsigned family = 0; family < PV_N_FAMILIES; family++) {
        const char *name = pv_color_name_family (profile, symbols, family, scheme);
        if (weights[family] <= 0 || name == NULL)
            continue;
        PvColorShare *share = g_new0 (PvColorShare, 1);
        PvModuleId module = symbols->functions[heaviest[family]].module;
        share->text = g_strdup (name);
        share->hue = (uint8_t)pv_palette_get_middle (family * PV_N_SHADES);
        share->weight = weights[family];
        if (owned[family] != NULL)
            describe_owned (share, owned[family]);
        else if (scheme == PV_COLOR_BY_MODULE && module != 0 && module < profile->n_modules)
            share->details = g_strdup (profile->modules[module].path);
        g_clear_pointer (&owned[family], g_hash_table_unref);
        g_ptr_array_add (list, share);
    }
    g_ptr_array_sort (list, compare_shares);
    return list;
}
