/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/launches.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "record/process/command-line.h"
#include "record/process/processes.h"

/*
 * A key file with a group for each launch, the newest first:
 *
 *   [1]
 *   kind=perf
 *   target=launch
 *   command=./server --port 80
 *   environment='LANG=C'
 *
 * With two programs that are recorded in turn, also
 *
 *   programs=./old ./new
 *   rounds=5
 *   until=2
 *
 * Commands and lists are quoted for a shell, then escaped with g_strescape (). The command of a
 * process is the path of its program. A missing key means the default. Process ids and outputs mean
 * nothing to a later launch, but do to another process now.
 */
enum { MAX_FILE_BYTES = 4 << 20 };

static const char *const target_ids[] = {
    [PV_TARGET_LAUNCH] = "launch",
    [PV_TARGET_ATTACH] = "attach",
    [PV_TARGET_SYSTEM] = "system",
};

static char *
get_folder (void)
{
    return g_build_filename (g_get_user_state_dir (), "profview", NULL);
}

static char *
get_path (void)
{
    return g_build_filename (g_get_user_state_dir (), "profview", "launches.ini", NULL);
}

/* Reading */

static bool
find_target (const char *id, PvTargetKind *ret_target)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (target_ids); i++) {
        if (strcmp (target_ids[i], id) != 0)
            continue;
        *ret_target = (PvTargetKind)i;
        return true;
    }
    return false;
}

/* NULL if there are no words. */
static char **
read_words (GKeyFile *file, const char *group, const char *key)
{
    g_autofree char *escaped = g_key_file_get_value (file, group, key, NULL);
    g_autofree char *typed = escaped != NULL ? g_strcompress (escaped) : NULL;
    char **words = NULL;
    if (typed != NULL)
        g_shell_parse_argv (typed, NULL, &words, NULL);
    return words;
}

static char *
read_word (GKeyFile *file, const char *group, const char *key)
{
    g_auto (GStrv) words = read_words (file, group, key);
    return words != NULL ? g_strdup (words[0]) : NULL;
}

static unsigned
read_number (GKeyFile *file, const char *group, const char *key)
{
    return (unsigned)CLAMP (g_key_file_get_int64 (file, group, key, NULL), 0, G_MAXINT);
}

static bool
read_ids (GKeyFile *file, const char *group, PvRecordPlan *plan)
{
    g_autofree char *kind = g_key_file_get_string (file, group, "kind", NULL);
    g_autofree char *target = g_key_file_get_string (file, group, "target", NULL);
    g_autofree char *call_graph = g_key_file_get_string (file, group, "call-graph", NULL);
    return kind != NULL && pv_record_kind_find (kind, &plan->kind) && target != NULL &&
           find_target (target, &plan->target) &&
           (call_graph == NULL || pv_call_graph_find (call_graph, &plan->call_graph));
}

/* A plan for a process may lack the process id, but nothing else. */
static bool
is_good (PvRecordPlan *plan)
{
    bool is_attach = plan->target == PV_TARGET_ATTACH;
    plan->pid = is_attach ? G_MAXINT32 : 0;
    const char *fault = pv_record_plan_find_fault (plan);
    plan->pid = 0;
    return fault == NULL && (!is_attach || plan->argv != NULL);
}

/* Without all of it, the plan is of one recording of its command. */
static void
read_turns (GKeyFile *file, const char *group, PvRecordPlan *plan)
{
    g_auto (GStrv) programs = read_words (file, group, "programs");
    unsigned n_rounds = read_number (file, group, "rounds");
    double percent = g_key_file_get_double (file, group, "until", NULL);
    if (plan->target != PV_TARGET_LAUNCH || programs == NULL || n_rounds == 0)
        return;
    plan->programs = g_steal_pointer (&programs);
    plan->n_rounds = n_rounds;
    plan->until_percent = percent > 0 ? percent : 0;
}

/* NULL if it is damaged. The plan may have faults. */
static PvRecordPlan *
read_plan (GKeyFile *file, const char *group)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    if (!read_ids (file, group, plan))
        return NULL;
    plan->argv = read_words (file, group, "command");
    read_turns (file, group, plan);
    plan->environment = read_words (file, group, "environment");
    plan->folder = read_word (file, group, "folder");
    plan->events = read_words (file, group, "events");
    plan->max_memory_bytes = g_key_file_get_uint64 (file, group, "memory-limit", NULL);
    plan->dump_interval_bytes = g_key_file_get_uint64 (file, group, "dump-interval", NULL);
    plan->stack_bytes = read_number (file, group, "stack-bytes");
    plan->frequency_hz = read_number (file, group, "frequency");
    plan->buffer_mib = read_number (file, group, "buffer-mib");
    plan->is_privileged = g_key_file_get_boolean (file, group, "privileged", NULL);
    plan->leaves_target = g_key_file_get_boolean (file, group, "leaves-target", NULL);
    plan->pid = (pid_t)read_number (file, group, "pid");
    plan->output = read_word (file, group, "output");
    return g_steal_pointer (&plan);
}

PvRecordPlan *
pv_record_plan_from_text (const char *text)
{
    g_assert (text != NULL);
    g_autoptr (GKeyFile) file = g_key_file_new ();
    if (!g_key_file_load_from_data (file, text, (gsize)-1, G_KEY_FILE_NONE, NULL))
        return NULL;
    return read_plan (file, "1");
}

static bool
is_small_file (const char *path)
{
    GStatBuf status;
    return g_stat (path, &status) == 0 && S_ISREG (status.st_mode) &&
           status.st_size <= MAX_FILE_BYTES;
}

GPtrArray *
pv_launches_list (void)
{
    GPtrArray *plans = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_record_plan_free);
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_autofree char *path = get_path ();
    if (!is_small_file (path) || !g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
        return plans;
    g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);
    for (char **group = groups; *group != NULL && plans->len < PV_MAX_LAUNCHES; group++) {
        g_autoptr (PvRecordPlan) plan = read_plan (file, *group);
        if (plan != NULL && is_good (plan))
            g_ptr_array_add (plans, g_steal_pointer (&plan));
    }
    return plans;
}

/* Writing */

static void
write_words (GKeyFile *file, const char *group, const char *key, char **words)
{
    if (words == NULL || words[0] == NULL)
        return;
    g_autoptr (GString) line = g_string_new (NULL);
    pv_command_line_append_argv (line, (const char *const *)words);
    g_autofree char *escaped = g_strescape (line->str, NULL);
    g_key_file_set_value (file, group, key, escaped);
}

static void
write_number (GKeyFile *file, const char *group, const char *key, uint64_t number)
{
    if (number != 0)
        g_key_file_set_uint64 (file, group, key, number);
}

static void
write_plan (GKeyFile *file, const char *group, const PvRecordPlan *plan)
{
    char *folder[] = {plan->folder, NULL}, *output[] = {plan->output, NULL};
    g_key_file_set_string (file, group, "kind", pv_recorder_get (plan->kind)->id);
    g_key_file_set_string (file, group, "target", target_ids[plan->target]);
    g_key_file_set_string (file, group, "call-graph", pv_call_graph_get_id (plan->call_graph));
    write_words (file, group, "command", plan->argv);
    write_words (file, group, "programs", plan->programs);
    write_number (file, group, "rounds", plan->n_rounds);
    if (plan->until_percent > 0)
        g_key_file_set_double (file, group, "until", plan->until_percent);
    write_words (file, group, "environment", plan->environment);
    write_words (file, group, "folder", folder);
    write_words (file, group, "events", plan->events);
    write_number (file, group, "memory-limit", plan->max_memory_bytes);
    write_number (file, group, "dump-interval", plan->dump_interval_bytes);
    write_number (file, group, "stack-bytes", plan->stack_bytes);
    write_number (file, group, "frequency", plan->frequency_hz);
    write_number (file, group, "buffer-mib", plan->buffer_mib);
    if (plan->is_privileged)
        g_key_file_set_boolean (file, group, "privileged", TRUE);
    if (plan->leaves_target)
        g_key_file_set_boolean (file, group, "leaves-target", TRUE);
    write_number (file, group, "pid", (uint64_t)MAX (plan->pid, 0));
    write_words (file, group, "output", output);
}

char *
pv_record_plan_to_text (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    g_autoptr (GKeyFile) file = g_key_file_new ();
    write_plan (file, "1", plan);
    return g_key_file_to_data (file, NULL, NULL);
}

static bool
set_save_error (GError **error, const char *path, int code)
{
    g_autofree char *shown = g_filename_display_name (path);
    g_set_error (error, G_IO_ERROR, (int)g_io_error_from_errno (code),
                 _ ("The list of recent recordings cannot be saved in %s: %s."), shown,
                 g_strerror (code));
    return false;
}

/* Locks the list, because several windows and commands may change it at once. -1 with error. */
static int
lock_folder (GError **error)
{
    g_autofree char *folder = get_folder ();
    int fd = -1;
    if (g_mkdir_with_parents (folder, 0700) == 0)
        fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0)
        set_save_error (error, folder, errno);
    else
        flock (fd, LOCK_EX);
    return fd;
}

/* The plan to store, or NULL if it is not stored. A process is identified by its program. */
static PvRecordPlan *
make_kept (const PvRecordPlan *plan)
{
    if (pv_record_plan_find_fault (plan) != NULL)
        return NULL;
    g_autoptr (PvRecordPlan) kept = pv_record_plan_copy (plan);
    g_clear_pointer (&kept->output, g_free);
    if (plan->target != PV_TARGET_ATTACH)
        return g_steal_pointer (&kept);
    char *argv[] = {pv_process_find_program (plan->pid), NULL};
    if (argv[0] == NULL)
        return NULL;
    g_strfreev (kept->argv);
    kept->argv = g_strdupv (argv);
    kept->pid = 0;
    g_free (argv[0]);
    return g_steal_pointer (&kept);
}

bool
pv_launches_add (const PvRecordPlan *plan, GError **error)
{
    g_assert (plan != NULL);
    g_autoptr (PvRecordPlan) kept = make_kept (plan);
    unsigned n_written = 0;
    g_autoptr (GKeyFile) file = g_key_file_new ();
    g_autofree char *path = get_path ();
    if (kept == NULL)
        return true;
    int lock_fd = lock_folder (error);
    if (lock_fd < 0)
        return false;
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    write_plan (file, "1", kept);
    for (unsigned i = 0; i < plans->len && n_written < PV_MAX_LAUNCHES - 1; i++) {
        if (pv_record_plan_equal (plans->pdata[i], kept))
            continue;
        g_autofree char *group = g_strdup_printf ("%u", ++n_written + 1);
        write_plan (file, group, plans->pdata[i]);
    }
    gsize size;
    g_autofree char *text = g_key_file_to_data (file, &size, NULL);
    bool is_saved = g_file_set_contents_full (path, text, (gssize)size,
                                              G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
    close (lock_fd);
    return is_saved;
}

bool
pv_record_plan_lacks_process (const PvRecordPlan *plan)
{
    return plan->target == PV_TARGET_ATTACH && plan->pid == 0 && plan->argv != NULL &&
           plan->argv[0] != NULL;
}

/* Comparing */

static bool
are_same_words (char **a, char **b)
{
    static char *const none[] = {NULL};
    return g_strv_equal ((const char *const *)(a != NULL ? a : none),
                         (const char *const *)(b != NULL ? b : none));
}

static bool
are_same_numbers (uint64_t a, uint64_t b, uint64_t number_for_zero)
{
    return (a != 0 ? a : number_for_zero) == (b != 0 ? b : number_for_zero);
}

static bool
is_same_target (const PvRecordPlan *a, const PvRecordPlan *b)
{
    if (a->target != b->target)
        return false;
    if (a->target == PV_TARGET_SYSTEM)
        return true;
    if (a->target == PV_TARGET_ATTACH)
        return a->pid == b->pid && (a->pid != 0 || are_same_words (a->argv, b->argv));
    return are_same_words (a->argv, b->argv) && are_same_words (a->programs, b->programs) &&
           a->n_rounds == b->n_rounds && a->until_percent == b->until_percent &&
           g_strcmp0 (a->folder, b->folder) == 0 &&
           are_same_words (a->environment, b->environment) &&
           a->max_memory_bytes == b->max_memory_bytes && a->leaves_target == b->leaves_target;
}

static bool
is_same_recorder (const PvRecordPlan *a, const PvRecordPlan *b)
{
    if (a->kind != b->kind)
        return false;
    unsigned fields = pv_recorder_get (a->kind)->fields;
    if ((fields & PV_PLAN_FREQUENCY) != 0 &&
        !are_same_numbers (a->frequency_hz, b->frequency_hz, PV_RECORD_DEFAULT_FREQUENCY_HZ))
        return false;
    if ((fields & PV_PLAN_DUMP_INTERVAL) != 0 &&
        !are_same_numbers (a->dump_interval_bytes, b->dump_interval_bytes, UINT64_C (64) << 20))
        return false;
    if ((fields & PV_PLAN_BUFFER) != 0 && a->buffer_mib != b->buffer_mib)
        return false;
    if ((fields & PV_PLAN_EVENTS) != 0 && !are_same_words (a->events, b->events))
        return false;
    if ((fields & PV_PLAN_PRIVILEGED) != 0 && a->is_privileged != b->is_privileged)
        return false;
    return (fields & PV_PLAN_CALL_GRAPH) == 0 ||
           (a->call_graph == b->call_graph &&
            (a->call_graph != PV_CALL_GRAPH_DWARF ||
             are_same_numbers (a->stack_bytes, b->stack_bytes, PV_RECORD_DEFAULT_STACK_BYTES)));
}

bool
pv_record_plan_equal (const PvRecordPlan *a, const PvRecordPlan *b)
{
    g_assert (a != NULL && b != NULL);
    return is_same_target (a, b) && is_same_recorder (a, b);
}
