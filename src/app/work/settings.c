/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/settings.h"

#define SCHEMA_ID "org.profview.Profview"

static GSettings *settings;

/* The program's own schema comes first: that of another installed version may lack keys. */
static GSettingsSchema *
find_schema (void)
{
    static const char *const folders[] = {"../data", "../share/glib-2.0/schemas"};
    GSettingsSchemaSource *system_source = g_settings_schema_source_get_default ();
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    g_autofree char *program_folder = program != NULL ? g_path_get_dirname (program) : NULL;
    GSettingsSchema *schema = NULL;

    for (unsigned i = 0; schema == NULL && program_folder != NULL && i < G_N_ELEMENTS (folders);
         i++) {
        g_autofree char *folder = g_build_filename (program_folder, folders[i], NULL);
        g_autoptr (GSettingsSchemaSource) source =
            g_settings_schema_source_new_from_directory (folder, system_source, FALSE, NULL);
        if (source != NULL)
            schema = g_settings_schema_source_lookup (source, SCHEMA_ID, FALSE);
    }
    if (schema == NULL && system_source != NULL)
        schema = g_settings_schema_source_lookup (system_source, SCHEMA_ID, TRUE);
    return schema;
}

gboolean
pv_settings_open (void)
{
    if (settings == NULL) {
        g_autoptr (GSettingsSchema) schema = find_schema ();
        if (schema != NULL)
            settings = g_settings_new_full (schema, NULL, NULL);
    }
    return settings != NULL;
}

GSettings *
pv_settings_get (void)
{
    gboolean is_open = pv_settings_open ();

    g_assert (is_open);
    return settings;
}
