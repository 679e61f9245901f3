/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/toolchain-sources.h"

#include <string.h>

enum { MAX_FOLDERS = 100 };

/* The environment's folder, or one in the user's home. Free with g_free (). */
static char *
get_home (const char *variable, const char *below_home)
{
    const char *value = g_getenv (variable);
    return value != NULL && value[0] == '/'
               ? g_strdup (value)
               : g_build_filename (g_get_home_dir (), below_home, NULL);
}

static void
add (GPtrArray *paths, const char *folder, const char *rest)
{
    /* A hostile name must not lead out of the folder. */
    if (strstr (rest, "..") == NULL)
        g_ptr_array_add (paths, g_build_filename (folder, rest, NULL));
}

static int
compare_names (const void *a, const void *b)
{
    return strcmp (*(const char *const *)b, *(const char *const *)a);
}

/* In every folder of this one, the highest version first: folder/NAME/below/rest. */
static void
add_in_each (GPtrArray *paths, const char *folder, const char *below, const char *rest)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    const char *name;
    while (dir != NULL && names->len < MAX_FOLDERS && (name = g_dir_read_name (dir)) != NULL)
        g_ptr_array_add (names, g_strdup (name));
    g_ptr_array_sort (names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *inner = g_build_filename (folder, names->pdata[i], below, NULL);
        add (paths, inner, rest);
    }
}

/* The rest of the path after the marker; NULL if the marker is not in it. */
static const char *
find_rest (const char *path, const char *marker)
{
    const char *found = strstr (path, marker);
    return found != NULL ? found + strlen (marker) : NULL;
}

/* The part after the next slash; NULL: no slash. */
static const char *
skip_folder (const char *path)
{
    const char *slash = path != NULL ? strchr (path, '/') : NULL;
    return slash != NULL ? slash + 1 : NULL;
}

static void
add_rust (GPtrArray *paths, const char *path)
{
    g_autofree char *rustup = get_home ("RUSTUP_HOME", ".rustup");
    g_autofree char *toolchains = g_build_filename (rustup, "toolchains", NULL);
    g_autofree char *cargo = get_home ("CARGO_HOME", ".cargo");
    g_autofree char *registry = g_build_filename (cargo, "registry", "src", NULL);
    g_autofree char *checkouts = g_build_filename (cargo, "git", "checkouts", NULL);
    const char *library =
        g_str_has_prefix (path, "/rustc/") ? skip_folder (path + strlen ("/rustc/")) : NULL;
    const char *crate = skip_folder (find_rest (path, "/registry/src/"));
    const char *checkout = find_rest (path, "/git/checkouts/");
    if (library != NULL) {
        add_in_each (paths, toolchains, "lib/rustlib/src/rust", library);
        add (paths, "/usr/lib/rustlib/src/rust", library);
    }
    if (crate != NULL)
        add_in_each (paths, registry, "", crate);
    if (checkout != NULL)
        add (paths, checkouts, checkout);
}

/* "github.com/Azure/x@v1/a.go" is in "github.com/!azure/x@v1/a.go". Free with g_free (). */
static char *
escape_module (const char *path)
{
    GString *out = g_string_new (NULL);
    const char *end = strchr (path, '@');
    for (const char *p = path; *p != '\0'; p++) {
        if (p < end && g_ascii_isupper (*p))
            g_string_append_c (out, '!');
        g_string_append_c (out, p < end ? g_ascii_tolower (*p) : *p);
    }
    return g_string_free (out, FALSE);
}

static void
add_go_module (GPtrArray *paths, const char *path)
{
    g_autofree char *go = get_home ("GOPATH", "go");
    g_autofree char *below = g_build_filename (go, "pkg", "mod", NULL);
    const char *cache = g_getenv ("GOMODCACHE");
    const char *module = find_rest (path, "/pkg/mod/");
    g_autofree char *escaped = NULL;
    if (module == NULL && path[0] != '/' && strchr (path, '@') != NULL)
        module = escaped = escape_module (path);
    if (module != NULL)
        add (paths, cache != NULL && cache[0] == '/' ? cache : below, module);
}

static void
add_go (GPtrArray *paths, const char *path)
{
    static const char *const roots[] = {"/usr/local/go", "/usr/lib/go", "/usr/lib/golang"};
    const char *root = g_getenv ("GOROOT");
    const char *library = find_rest (path, "/go/src/");
    if (library == NULL && path[0] != '/' && strchr (path, '@') == NULL)
        library = path;
    if (library == NULL || !g_str_has_suffix (path, ".go"))
        return;
    for (unsigned i = 0; i <= G_N_ELEMENTS (roots); i++) {
        const char *folder = i == 0 ? root : roots[i - 1];
        g_autofree char *src = folder != NULL ? g_build_filename (folder, "src", NULL) : NULL;
        if (src != NULL)
            add (paths, src, library);
    }
}

char **
pv_toolchain_list_sources (const char *recorded_path)
{
    g_assert (recorded_path != NULL);

    GPtrArray *paths = g_ptr_array_new ();
    add_rust (paths, recorded_path);
    add_go_module (paths, recorded_path);
    add_go (paths, recorded_path);
    g_ptr_array_add (paths, NULL);
    return (char **)g_ptr_array_free (paths, FALSE);
}
