/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/saved-filters.h"

#include "app/work/settings.h"

#define TYPE "a(sas)"

char **
pv_saved_filters_list (void)
{
    g_autoptr (GVariant) all = g_settings_get_value (pv_settings_get (), PV_SAVED_FILTERS_KEY);
    GPtrArray *names = g_ptr_array_new ();
    GVariantIter iter;
    char *name;

    g_variant_iter_init (&iter, all);
    while (g_variant_iter_next (&iter, "(sas)", &name, NULL))
        g_ptr_array_add (names, name);
    g_ptr_array_add (names, NULL);
    return (char **)g_ptr_array_free (names, FALSE);
}

char **
pv_saved_filters_get (const char *name)
{
    g_autoptr (GVariant) all = g_settings_get_value (pv_settings_get (), PV_SAVED_FILTERS_KEY);
    GVariantIter iter;
    const char *found;
    char **options;

    g_assert (name != NULL);
    g_variant_iter_init (&iter, all);
    while (g_variant_iter_next (&iter, "(&s^as)", &found, &options)) {
        if (g_str_equal (found, name))
            return options;
        g_strfreev (options);
    }
    return NULL;
}

/* options: NULL to delete it. */
static void
put (const char *name, const char *const *options)
{
    g_autoptr (GVariant) all = g_settings_get_value (pv_settings_get (), PV_SAVED_FILTERS_KEY);
    GVariantBuilder changed;
    GVariantIter iter;
    GVariant *set;
    gboolean is_found = FALSE;

    g_variant_builder_init (&changed, G_VARIANT_TYPE (TYPE));
    g_variant_iter_init (&iter, all);
    while ((set = g_variant_iter_next_value (&iter)) != NULL) {
        const char *found;
        g_variant_get_child (set, 0, "&s", &found);
        if (!g_str_equal (found, name)) {
            g_variant_builder_add_value (&changed, set);
        } else if (options != NULL) {
            is_found = TRUE;
            g_variant_builder_add (&changed, "(s^as)", name, options);
        }
        g_variant_unref (set);
    }
    if (!is_found && options != NULL)
        g_variant_builder_add (&changed, "(s^as)", name, options);
    g_settings_set_value (pv_settings_get (), PV_SAVED_FILTERS_KEY,
                          g_variant_builder_end (&changed));
}

void
pv_saved_filters_save (const char *name, const char *const *options)
{
    g_assert (name != NULL && options != NULL);
    put (name, options);
}

void
pv_saved_filters_delete (const char *name)
{
    g_assert (name != NULL);
    put (name, NULL);
}
