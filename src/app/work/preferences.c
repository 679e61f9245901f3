/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/preferences.h"

#include <pthread.h>
#include <stdlib.h>

#include "app/work/work.h"

#define GROUP "window"

static GKeyFile *preferences;
static char *unsaved; /* the file as it is to be; atomic */
static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;

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

/* Where nothing can be written the choice lasts as long as the window. */
static void
save (void)
{
    char *data;

    pthread_mutex_lock (&file_lock);
    data = g_atomic_pointer_exchange (&unsaved, NULL);
    if (data != NULL) {
        g_autofree char *path = get_path ();
        g_autofree char *folder = g_path_get_dirname (path);
        g_mkdir_with_parents (folder, 0700);
        g_file_set_contents (path, data, -1, NULL);
    }
    pthread_mutex_unlock (&file_lock);
    g_free (data);
}

static void
save_in_worker (gpointer unused)
{
    save ();
}

/* A disk may take its time; nobody waits for it but the end of the program. */
void
pv_preferences_set (const char *key, const char *value)
{
    static gboolean is_saved_at_exit;

    g_key_file_set_string (get_file (), GROUP, key, value);
    g_free (g_atomic_pointer_exchange (&unsaved, g_key_file_to_data (get_file (), NULL, NULL)));
    if (!is_saved_at_exit)
        is_saved_at_exit = atexit (save) == 0;
    pv_work_later (&unsaved, save_in_worker);
}
