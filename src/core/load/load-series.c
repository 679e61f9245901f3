/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of the files in a series. */
#include "core/load/load-series.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NS_PER_MS UINT64_C (1000000)
#define NS_PER_S  UINT64_C (1000000000)

/* Names */

/* Shortens *len by `ending` if the name ends with it. */
static bool
cut_ending (const char *name, size_t *len, const char *ending)
{
    size_t ending_len = strlen (ending);
    if (*len <= ending_len || strncmp (name + *len - ending_len, ending, ending_len) != 0)
        return false;
    *len -= ending_len;
    return true;
}

/* Removes ".DIGITS" from the end. */
static bool
cut_number (const char *name, size_t *len, uint64_t *ret_number)
{
    size_t start = *len;
    while (start > 0 && g_ascii_isdigit (name[start - 1]))
        start--;
    if (start == *len || start < 2 || name[start - 1] != '.' || *len - start > 19)
        return false;
    *ret_number = g_ascii_strtoull (name + start, NULL, 10);
    *len = start - 1;
    return true;
}

/* Removes ".f", ".i12", ".m12" or ".u12" from the end. */
static bool
cut_reason (const char *name, size_t *len, bool *ret_is_final)
{
    size_t start = *len;
    while (start > 0 && g_ascii_isdigit (name[start - 1]))
        start--;
    if (start < 3 || name[start - 2] != '.')
        return false;
    char reason = name[start - 1];
    *ret_is_final = reason == 'f' && start == *len;
    if (!*ret_is_final && (start == *len || strchr ("imu", reason) == NULL))
        return false;
    *len = start - 2;
    return true;
}

void
pv_dump_name_parse (const char *name, PvDumpName *ret_name)
{
    g_assert (name != NULL && ret_name != NULL);
    size_t len = strlen (name);
    uint64_t pid;
    *ret_name = (PvDumpName){.prefix_len = len};
    if (!cut_ending (name, &len, ".gz") && !cut_ending (name, &len, ".zst"))
        cut_ending (name, &len, ".xz");
    if (!cut_ending (name, &len, ".heap"))
        return;
    size_t stem_len = len;
    PvDumpName parsed = {.kind = PV_DUMP_NAME_JEMALLOC};
    if (cut_reason (name, &len, &parsed.is_final) && cut_number (name, &len, &parsed.sequence)) {
        parsed.prefix_len = len;
        if (cut_number (name, &len, &pid)) {
            *ret_name = parsed;
            return;
        }
    }
    parsed = (PvDumpName){.kind = PV_DUMP_NAME_GPERFTOOLS};
    if (cut_number (name, &stem_len, &parsed.sequence)) {
        parsed.prefix_len = stem_len;
        *ret_name = parsed;
    }
}

static const char *
skip_digits (const char *text)
{
    while (g_ascii_isdigit (*text))
        text++;
    return text;
}

static const char *
skip_zeros (const char *text)
{
    while (text[0] == '0' && g_ascii_isdigit (text[1]))
        text++;
    return text;
}

int
pv_compare_naturally (const char *a, const char *b)
{
    g_assert (a != NULL && b != NULL);
    const char *x = a, *y = b;
    while (*x != '\0' && *y != '\0') {
        if (g_ascii_isdigit (*x) && g_ascii_isdigit (*y)) {
            x = skip_zeros (x);
            y = skip_zeros (y);
            ptrdiff_t x_len = skip_digits (x) - x, y_len = skip_digits (y) - y;
            int order = x_len != y_len ? (x_len < y_len ? -1 : 1) : strncmp (x, y, (size_t)x_len);
            if (order != 0)
                return order;
            x += x_len;
            y += y_len;
        } else if (*x != *y) {
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        } else {
            x++;
            y++;
        }
    }
    return *x != *y ? (*x == '\0' ? -1 : 1) : strcmp (a, b);
}

/* Files */

static void
series_file_free (void *data)
{
    PvSeriesFile *file = data;
    g_free (file->path);
    g_free (file->title);
    g_free (file);
}

static PvSeriesFile *
series_file_new (const char *path)
{
    PvSeriesFile *file = g_new0 (PvSeriesFile, 1);
    struct stat status;
    file->path = g_strdup (path);
    file->title = g_path_get_basename (path);
    pv_dump_name_parse (path, &file->name);
    if (stat (path, &status) == 0 && status.st_size >= 0) {
        int64_t modified_ns;
        file->size_bytes = (uint64_t)status.st_size;
        if (!__builtin_mul_overflow ((int64_t)status.st_mtim.tv_sec, (int64_t)NS_PER_S,
                                     &modified_ns) &&
            !__builtin_add_overflow (modified_ns, status.st_mtim.tv_nsec, &modified_ns))
            file->modified_ns = MAX (modified_ns, 0);
    }
    return file;
}

static bool
are_titles_unique (GPtrArray *files)
{
    g_autoptr (GHashTable) titles = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < files->len; i++) {
        if (!g_hash_table_add (titles, ((PvSeriesFile *)files->pdata[i])->title))
            return false;
    }
    return true;
}

/* Adds folders to titles, as files in different folders have the same name. */
static void
add_folders_to_titles (GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        PvSeriesFile *file = files->pdata[i];
        g_autofree char *folder = g_path_get_dirname (file->path);
        g_autofree char *folder_name = g_path_get_basename (folder);
        g_autofree char *title = g_steal_pointer (&file->title);
        file->title = g_build_filename (folder_name, title, NULL);
    }
}

GPtrArray *
pv_series_files_new (const char *const *paths)
{
    g_assert (paths != NULL);
    GPtrArray *files = g_ptr_array_new_with_free_func (series_file_free);
    for (; *paths != NULL; paths++)
        g_ptr_array_add (files, series_file_new (*paths));
    if (!are_titles_unique (files))
        add_folders_to_titles (files);
    return files;
}

/* Order and times */

/* A file being sorted. */
typedef struct {
    const PvSeriesFile *file;
    guint index;
    int64_t time_ns; /* 0: none */
} Entry;

static int
compare_sequences (const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    const PvDumpName *left = &x->file->name, *right = &y->file->name;
    if (left->sequence != right->sequence)
        return left->sequence < right->sequence ? -1 : 1;
    if (left->is_final != right->is_final)
        return left->is_final ? 1 : -1;
    int order = pv_compare_naturally (x->file->path, y->file->path);
    return order != 0 ? order : x->index < y->index ? -1 : 1;
}

static int
compare_times (const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    int order = pv_compare_naturally (x->file->path, y->file->path);
    return order != 0 ? order : x->index < y->index ? -1 : 1;
}

static bool
are_of_one_process (const Entry *entries, guint n)
{
    const PvSeriesFile *first = entries[0].file;
    for (guint i = 0; i < n; i++) {
        const PvSeriesFile *file = entries[i].file;
        if (file->name.kind == PV_DUMP_NAME_OTHER || file->name.kind != first->name.kind ||
            file->name.prefix_len != first->name.prefix_len ||
            strncmp (file->path, first->path, first->name.prefix_len) != 0)
            return false;
    }
    return true;
}

typedef int64_t (*GetTime) (const PvSeriesFile *file);

static int64_t
get_recorded (const PvSeriesFile *file)
{
    return file->recorded_at_ns;
}

static int64_t
get_modified (const PvSeriesFile *file)
{
    return file->modified_ns;
}

/* Takes the times of all files. False if some file has no time, or all have the same. */
static bool
take_times (Entry *entries, guint n, GetTime get_time)
{
    bool is_known = true, differ = false;
    for (guint i = 0; i < n; i++) {
        entries[i].time_ns = get_time (entries[i].file);
        is_known = is_known && entries[i].time_ns > 0;
        differ = differ || entries[i].time_ns != entries[0].time_ns;
    }
    return is_known && differ;
}

static bool
are_in_order (const Entry *entries, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (entries[i].time_ns < entries[i - 1].time_ns)
            return false;
    }
    return true;
}

/* Sorts the entries; false if their times are unusable. */
static bool
put_in_order (Entry *entries, guint n)
{
    if (take_times (entries, n, get_recorded)) {
        qsort (entries, n, sizeof *entries, compare_times);
        return true;
    }
    if (are_of_one_process (entries, n)) {
        qsort (entries, n, sizeof *entries, compare_sequences);
        return take_times (entries, n, get_modified) && are_in_order (entries, n);
    }
    bool has_times = take_times (entries, n, get_modified);
    for (guint i = 0; i < n && !has_times; i++)
        entries[i].time_ns = 0; /* sort by name */
    qsort (entries, n, sizeof *entries, compare_times);
    return has_times;
}

bool
pv_series_find_times (GPtrArray *files, PvDump *ret_dumps)
{
    guint n = files->len;
    g_autofree Entry *entries = g_new0 (Entry, MAX (n, 1));
    for (guint i = 0; i < n; i++)
        entries[i] = (Entry){.file = files->pdata[i], .index = i};
    bool has_times = n > 0 && put_in_order (entries, n);
    uint64_t earliest = NS_PER_MS;
    for (guint i = 0; i < n; i++) {
        /* In whole milliseconds, like charts and --time. */
        uint64_t time_ns = (uint64_t)entries[i].time_ns / NS_PER_MS * NS_PER_MS;
        if (!has_times)
            time_ns = (i + 1) * NS_PER_S;
        time_ns = MAX (time_ns, earliest);
        earliest = time_ns + NS_PER_MS;
        ret_dumps[entries[i].index] = (PvDump){
            .name = entries[i].file->title,
            .time_ns = time_ns,
            .recorded_at = has_times ? entries[i].time_ns / (int64_t)NS_PER_S : 0,
        };
    }
    return has_times;
}

typedef struct {
    uint64_t time_ns;
    void *file;
} TimedFile;

static int
compare_timed_files (const void *a, const void *b)
{
    const TimedFile *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void
pv_series_sort (GPtrArray *files, const PvDump *dumps)
{
    g_autofree TimedFile *timed = g_new (TimedFile, MAX (files->len, 1));
    for (guint i = 0; i < files->len; i++)
        timed[i] = (TimedFile){dumps[i].time_ns, files->pdata[i]};
    qsort (timed, files->len, sizeof *timed, compare_timed_files);
    for (guint i = 0; i < files->len; i++)
        files->pdata[i] = timed[i].file;
}
