#include "app/preferences.h"

#define GROUP "window"

static GKeyFile *preferences;

static char *
get_path (void)
{
    return g_build_filename (g_get_user_config_dir (), "profview", "preferences.ini", NULL);
}

static GKeyFile *
get_file (void)
{
    if (preferences == NULL) {
        g_autofree char *path = get_path ();
        preferences = g_key_file_new ();
        /* A missing or broken file means the defaults. */
        g_key_file_load_from_file (preferences, path, G_KEY_FILE_NONE, NULL);
    }
    return preferences;
}

char *
pv_preferences_get (const char *key, const char *fallback)
{
    char *value = g_key_file_get_string (get_file (), GROUP, key, NULL);
    return value != NULL ? value : g_strdup (fallback);
}

void
pv_preferences_set (const char *key, const char *value)
{
    g_autofree char *path = get_path ();
    g_autofree char *folder = g_path_get_dirname (path);

    g_key_file_set_string (get_file (), GROUP, key, value);
    g_mkdir_with_parents (folder, 0700);
    /* Where nothing can be written the choice lasts as long as the window. */
    g_key_file_save_to_file (get_file (), path, NULL);
}
