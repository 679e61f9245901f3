/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisecting.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/bisect/git.h"
#include "cli/bisect/pairs.h"
#include "cli/bisect/suspects.h"
#include "cli/check.h"
#include "cli/loading/comparing.h"
#include "cli/recording.h"
#include "core/analyze/compare/noise.h"
#include "core/base/format.h"
#include "core/base/saved-files.h"
#include "core/write/escape.h"
#include "export/exports.h"
#include "export/report/print-parts.h"
#include "record/advice/run-conditions.h"

enum {
    MIN_ROUNDS = 3,
    DEFAULT_ROUNDS = 20,
    N_ID_CHARS = 10, /* of commits, as shown */
    N_SHOWN = 20,    /* lines of a failed build, and suspects */
    MAX_TABS = 4096, /* of a log that are read from its end */
    EXIT_ERROR = 1,
    EXIT_INTERRUPTED = 128 + SIGINT,
};
#define DEFAULT_UNTIL_PERCENT 1.0
/* A chance with which a commit is found. */
#define FOUND 0.95

typedef struct {
    char *id;
    char *title;       /* "1a2b3c4d5e The subject" */
    GArray *amounts;   /* double [PV_N_SIDES], by round */
    unsigned n_rounds; /* that are recorded */
    PvEstimate estimate;
    bool is_measured;
} Commit;

typedef struct {
    PvOptions *options;
    char *top;            /* of the user's work tree */
    char *place;          /* the current folder below it; "" is top itself */
    char *folder;         /* of the search */
    int lock;             /* on a file in it */
    Commit *good;         /* the base of all */
    GPtrArray *commits;   /* Commit *, older ones first; the last one is the bad end */
    PvSuspects *suspects; /* of the commits */
    PvUnit unit;          /* of amounts */
    bool has_ratios;      /* changes are logarithms of ratios; else differences */
    PvEstimate whole;     /* change of the bad end */
    bool has_advised;
    int status;
} Bisect;

static void say (const char *format, ...) G_GNUC_PRINTF (1, 2);

static void
say (const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    g_autofree char *text = g_strdup_vprintf (format, arguments);
    va_end (arguments);
    fprintf (stderr, "profview: %s\n", text);
}

/* --- commits --- */

static void
commit_free (gpointer data)
{
    Commit *commit = data;
    g_free (commit->id);
    g_free (commit->title);
    g_array_unref (commit->amounts);
    g_free (commit);
}

static Commit *
commit_new (const char *id)
{
    Commit *commit = g_new0 (Commit, 1);
    commit->id = g_strdup (id);
    commit->amounts = g_array_new (FALSE, FALSE, PV_N_SIDES * sizeof (double));
    return commit;
}

static Commit *
get_commit (const Bisect *self, uint32_t index)
{
    return self->commits->pdata[index];
}

static Commit *
get_bad (const Bisect *self)
{
    return get_commit (self, self->commits->len - 1);
}

static const char *
get_title (const Bisect *self, Commit *commit)
{
    if (commit->title == NULL) {
        g_autofree char *subject =
            pv_git_ask (self->top, NULL, "show", "-s", "--format=%s", commit->id, NULL);
        g_autofree char *title =
            g_strdup_printf ("%.*s %s", N_ID_CHARS, commit->id, subject != NULL ? subject : "");
        commit->title = pv_make_showable (title, strlen (title));
    }
    return commit->title;
}

static char *
find_commit (const Bisect *self, const char *name, GError **error)
{
    g_autofree char *wanted = g_strconcat (name, "^{commit}", NULL);
    return pv_git_ask (self->top, error, "rev-parse", "--verify", "--end-of-options", wanted, NULL);
}

static void
add_commits (Bisect *self, char *const *lines)
{
    g_autoptr (GHashTable) indexes = g_hash_table_new (g_str_hash, g_str_equal);
    uint32_t n = g_strv_length ((char **)lines);
    self->suspects = pv_suspects_new (n);
    for (uint32_t i = 0; i < n; i++) {
        g_auto (GStrv) ids = g_strsplit (lines[i], " ", -1);
        Commit *commit = commit_new (ids[0]);
        gpointer parent;
        g_ptr_array_add (self->commits, commit);
        g_hash_table_insert (indexes, commit->id, GUINT_TO_POINTER (i));
        for (char **id = ids + 1; *id != NULL; id++)
            if (g_hash_table_lookup_extended (indexes, *id, NULL, &parent))
                pv_suspects_add_parent (self->suspects, i, GPOINTER_TO_UINT (parent));
    }
}

/* The commits from the good one to the bad one. */
static bool
read_history (Bisect *self, GError **error)
{
    const char *range = self->options->bisect_range;
    const char *dots = strstr (range, "..");
    g_autofree char *good_name = g_strndup (range, (size_t)(dots - range));
    g_autofree char *good = find_commit (self, good_name, error);
    g_autofree char *bad =
        good != NULL ? find_commit (self, dots[2] != '\0' ? dots + 2 : "HEAD", error) : NULL;
    if (bad == NULL)
        return false;
    g_autofree char *base = pv_git_ask (self->top, error, "merge-base", good, bad, NULL);
    if (base == NULL)
        return false;
    if (strcmp (good, base) != 0 || strcmp (good, bad) == 0) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("--bisect: %s must be an older commit that %s contains; both contain "
                        "%.*s"),
                     good_name, dots[2] != '\0' ? dots + 2 : "HEAD", N_ID_CHARS, base);
        return false;
    }
    g_autofree char *limits = g_strdup_printf ("%s..%s", good, bad);
    g_autofree char *list = pv_git_ask (self->top, error, "rev-list", "--topo-order", "--reverse",
                                        "--parents", limits, NULL);
    g_auto (GStrv) lines = list != NULL ? g_strsplit (list, "\n", -1) : NULL;
    if (lines != NULL && g_strv_length (lines) > PV_SUSPECTS_MAX) {
        say (_ ("there are %u commits; those that were merged are taken as one with their merge"),
             g_strv_length (lines));
        g_free (list);
        g_strfreev (lines);
        list = pv_git_ask (self->top, error, "rev-list", "--first-parent", "--reverse", "--parents",
                           limits, NULL);
        lines = list != NULL ? g_strsplit (list, "\n", -1) : NULL;
    }
    if (lines == NULL)
        return false;
    if (g_strv_length (lines) > PV_SUSPECTS_MAX) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("--bisect: these are more than %d commits"), PV_SUSPECTS_MAX);
        return false;
    }
    self->good = commit_new (good);
    add_commits (self, lines);
    return true;
}

/* --- the folder of the search --- */

static char *
make_path (const Bisect *self, const char *name)
{
    return g_build_filename (self->folder, name, NULL);
}

/* A file of a commit: "1a2b3c4d5e-3.profview". */
static char *
make_file_path (const Bisect *self, const Commit *commit, const char *ending)
{
    g_autofree char *name = g_strdup_printf ("%.*s%s", N_ID_CHARS, commit->id, ending);
    return make_path (self, name);
}

static char *
make_pack_path (const Bisect *self, const Commit *commit, PvSide side, unsigned round)
{
    g_autofree char *ending =
        g_strdup_printf (side == PV_SIDE_BASE ? "-good-%u.profview" : "-%u.profview", round + 1);
    return make_file_path (self, commit, ending);
}

static bool
has_file (const Bisect *self, const Commit *commit, const char *ending)
{
    g_autofree char *path = make_file_path (self, commit, ending);
    return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The ends of a range are tried again. */
static void
write_mark (const Bisect *self, const Commit *commit, const char *ending)
{
    if (commit == self->good || commit == get_bad (self))
        return;
    g_autofree char *path = make_file_path (self, commit, ending);
    g_file_set_contents (path, "", 0, NULL);
}

static void
count_rounds (const Bisect *self, Commit *commit)
{
    for (;; commit->n_rounds++)
        for (PvSide side = 0; side < PV_N_SIDES; side++) {
            g_autofree char *path = make_pack_path (self, commit, side, commit->n_rounds);
            if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
                return;
        }
}

/* The same for the same search; that is one with the same recordings. */
static char *
make_key (const Bisect *self)
{
    const PvOptions *options = self->options;
    g_autofree char *recording = pv_record_plan_format_command (options->record_plan);
    g_autofree char *environment = options->record_plan->environment != NULL
                                       ? g_strjoinv ("\n", options->record_plan->environment)
                                       : NULL;
    g_autofree char *text =
        g_strjoin ("\n", self->top, self->place, self->good->id, get_bad (self)->id,
                   options->bisect_build, recording, environment, NULL);
    g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    g_autofree char *name = g_path_get_basename (self->top);
    return g_strdup_printf ("%s-%.12s", name, sum);
}

static bool
open_folder (Bisect *self, GError **error)
{
    g_autofree char *key = make_key (self);
    self->folder = g_build_filename (g_get_user_cache_dir (), "profview", "bisect", key, NULL);
    int code = pv_saved_make_folder (self->folder);
    if (code != 0)
        return pv_saved_set_error (error, self->folder, code);
    g_autofree char *path = make_path (self, "lock");
    self->lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (self->lock < 0)
        return pv_saved_set_error (error, path, errno);
    if (flock (self->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                         _ ("this search is already running"));
    return false;
}

/* --- work trees --- */

/* Both names are as long: a program may be faster where its path is shorter. */
static const char *const tree_names[PV_N_SIDES] = {[PV_SIDE_BASE] = "old", [PV_SIDE_NEW] = "new"};

static char *
make_tree_path (const Bisect *self, PvSide side)
{
    return make_path (self, tree_names[side]);
}

static bool
check_out (const Bisect *self, PvSide side, const Commit *commit, GError **error)
{
    g_autofree char *tree = make_tree_path (self, side);
    g_autofree char *git = g_build_filename (tree, ".git", NULL);
    g_autofree char *done =
        g_file_test (git, G_FILE_TEST_EXISTS)
            ? pv_git_ask (tree, error, "checkout", "--force", "--detach", commit->id, NULL)
            : pv_git_ask (self->top, error, "worktree", "add", "--force", "--detach", tree,
                          commit->id, NULL);
    return done != NULL;
}

static void
remove_trees (const Bisect *self)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_autofree char *tree = make_tree_path (self, side);
        g_autofree char *done =
            g_file_test (tree, G_FILE_TEST_EXISTS)
                ? pv_git_ask (self->top, NULL, "worktree", "remove", "--force", tree, NULL)
                : NULL;
        g_autofree char *mark = g_strconcat (tree, ".built", NULL);
        g_unlink (mark);
    }
}

static void
show_log_end (const char *path)
{
    g_autofree char *text = NULL;
    gsize len;
    if (!g_file_get_contents (path, &text, &len, NULL))
        return;
    const char *line = text + len;
    for (unsigned n = 0; line > text; line--)
        if (line[-1] == '\n' && n++ > N_SHOWN)
            break;
    g_autofree char *shown = pv_make_showable (line, strlen (line));
    g_auto (GStrv) lines = g_strsplit (line, "\n", -1);
    for (char **each = lines; *each != NULL; each++) {
        g_autofree char *clean = pv_make_showable (*each, strlen (*each));
        if (*clean != '\0')
            fprintf (stderr, "    %s\n", clean);
    }
}

typedef enum {
    GOES,   /* as it should */
    CANNOT, /* this commit cannot be measured */
    FAILS,  /* nor can any other; there is an error */
} Result;

/* Makes the commit ready to run in the tree of a side. */
static Result
build (Bisect *self, PvSide side, Commit *commit, GError **error)
{
    g_autofree char *tree = make_tree_path (self, side);
    g_autofree char *mark = g_strconcat (tree, ".built", NULL);
    g_autofree char *log = make_file_path (self, commit, "-build.log");
    g_autofree char *built = NULL;
    if (g_file_get_contents (mark, &built, NULL, NULL) && strcmp (built, commit->id) == 0)
        return GOES;
    g_unlink (mark);
    if (!check_out (self, side, commit, error))
        return FAILS;
    say (_ ("building %s"), get_title (self, commit));
    int status = pv_shell_run (tree, self->options->bisect_build, log, error);
    if (status < 0)
        return FAILS;
    if (status != 0) {
        g_autofree char *shown = pv_format_path (log);
        say (_ ("%s does not build; its last lines, from %s:"), get_title (self, commit), shown);
        show_log_end (log);
        write_mark (self, commit, ".no-build");
        return CANNOT;
    }
    return g_file_set_contents (mark, commit->id, -1, error) ? GOES : FAILS;
}

/* --- recordings --- */

/* Keeps a recording with its names as a pack: the program it is of will be replaced. */
static bool
pack (const Bisect *self, const char *recording, const char *path, GError **error)
{
    PvOptions one = *self->options;
    char *files[] = {(char *)recording, NULL};
    PvQuery query;
    g_auto (PvCliLoaded) loaded = {0};
    one.open.files = files;
    g_autoptr (GPtrArray) sources = pv_cli_sources_new (&one);
    if (!pv_cli_source_load (sources->pdata[0], &one, &loaded, error) ||
        !pv_cli_make_query (&one, &loaded, &query, error))
        return false;
    const PvExportRequest request = {.profile = loaded.profile,
                                     .symbols = loaded.symbols,
                                     .query = &query,
                                     .options = &one.out,
                                     .name = path};
    bool is_done = pv_export_write (pv_export_find (path), &request, path, NULL, error);
    pv_query_clear (&query);
    return is_done;
}

/* Records with what the program prints in a file; *ret_path is the recording. */
static int
record (Bisect *self, PvSide side, char **ret_path, bool *ret_is_interrupted)
{
    PvOptions one = *self->options;
    g_autoptr (PvRecordPlan) plan = pv_record_plan_copy (one.record_plan);
    g_autofree char *tree = make_tree_path (self, side);
    g_autofree char *log = make_path (self, "output.log");
    g_free (plan->folder);
    g_free (plan->output);
    plan->folder = g_build_filename (tree, self->place, NULL);
    plan->output = make_path (self, "recording.data");
    one.record_plan = plan;
    one.is_repetition = self->has_advised;
    self->has_advised = true;
    fflush (stdout);
    int kept = dup (STDOUT_FILENO);
    int fd = open (log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0 && kept >= 0)
        dup2 (fd, STDOUT_FILENO);
    int status = pv_cli_record (&one, ret_path, ret_is_interrupted);
    fflush (stdout);
    if (kept >= 0)
        dup2 (kept, STDOUT_FILENO);
    if (kept >= 0)
        close (kept);
    if (fd >= 0)
        close (fd);
    return status;
}

static Result
record_pack (Bisect *self, Commit *commit, PvSide side, GError **error)
{
    g_autofree char *path = make_pack_path (self, commit, side, commit->n_rounds);
    g_autofree char *recording = NULL;
    bool is_interrupted = false;
    int status = record (self, side, &recording, &is_interrupted);
    if (is_interrupted) {
        self->status = status > 1 ? status : EXIT_INTERRUPTED;
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR,
                             _ ("interrupted; the same command goes on from here"));
        return FAILS;
    }
    if (recording == NULL) {
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                             _ ("nothing was recorded; the same command goes on from here"));
        return FAILS;
    }
    if (status != 0) {
        g_unlink (recording);
        const Commit *of = side == PV_SIDE_NEW ? commit : self->good;
        say (_ ("%s does not run: status %d"), get_title (self, (Commit *)of), status);
        write_mark (self, of, ".no-run");
        return CANNOT;
    }
    bool is_done = pack (self, recording, path, error);
    g_unlink (recording);
    return is_done ? GOES : FAILS;
}

/* Both sides once, each first as often as the other. */
static Result
record_round (Bisect *self, Commit *commit, GError **error)
{
    Result result = GOES;
    for (unsigned i = 0; i < PV_N_SIDES && result == GOES; i++)
        result = record_pack (self, commit, (PvSide)(i ^ (commit->n_rounds & 1)), error);
    commit->n_rounds += result == GOES;
    return result;
}

/* --- measuring --- */

static char **
list_packs (const Bisect *self, const Commit *commit, PvSide side)
{
    char **files = g_new0 (char *, commit->n_rounds + 1);
    for (unsigned i = 0; i < commit->n_rounds; i++)
        files[i] = make_pack_path (self, commit, side, i);
    return files;
}

/* The amount of a recording: of what stacks with the function have, or everything. */
static bool
read_amount (Bisect *self, const char *path, double *ret_amount, GError **error)
{
    const char *function = self->options->out.function;
    g_autofree char *condition =
        function != NULL ? g_strdup_printf ("total(%s) < 0", function) : g_strdup ("total < 0");
    PvOptions one = *self->options;
    char *files[] = {(char *)path, NULL};
    PvQuery query;
    g_auto (PvCliLoaded) loaded = {0};
    g_auto (PvJudgement) judgement = {0};
    one.open.files = files;
    g_autoptr (GPtrArray) sources = pv_cli_sources_new (&one);
    if (!pv_cli_source_load (sources->pdata[0], &one, &loaded, error) ||
        !pv_cli_make_query (&one, &loaded, &query, error))
        return false;
    bool is_done =
        pv_check_judge (condition, pv_profile_get_named (loaded.profile),
                        pv_symbol_table_get_named (loaded.symbols), &query, &judgement, error);
    pv_query_clear (&query);
    *ret_amount = judgement.value;
    self->unit = judgement.unit;
    return is_done;
}

/* Reads the rounds that were not read yet. */
static bool
read_rounds (Bisect *self, Commit *commit, GError **error)
{
    while (commit->amounts->len < commit->n_rounds) {
        double amounts[PV_N_SIDES];
        for (PvSide side = 0; side < PV_N_SIDES; side++) {
            g_autofree char *path = make_pack_path (self, commit, side, commit->amounts->len);
            if (!read_amount (self, path, &amounts[side], error))
                return false;
        }
        g_array_append_vals (commit->amounts, amounts, 1);
    }
    return true;
}

static const double *
get_amounts (const Commit *commit, unsigned round)
{
    return (const double *)(gpointer)commit->amounts->data + round * PV_N_SIDES;
}

/* The change of each round; g_free () it. */
static double *
list_changes (const Bisect *self, const Commit *commit)
{
    double *changes = g_new (double, commit->amounts->len + 1);
    for (unsigned i = 0; i < commit->amounts->len; i++) {
        const double *amounts = get_amounts (commit, i);
        changes[i] = self->has_ratios ? log (amounts[PV_SIDE_NEW] / amounts[PV_SIDE_BASE])
                                      : amounts[PV_SIDE_NEW] - amounts[PV_SIDE_BASE];
    }
    return changes;
}

/* The spread between pairs that is usual, in the unit of changes. */
static double
find_usual_spread (const Bisect *self, const Commit *commit)
{
    double sum = 0;
    for (unsigned i = 0; i < commit->amounts->len; i++)
        sum += get_amounts (commit, i)[PV_SIDE_BASE] + get_amounts (commit, i)[PV_SIDE_NEW];
    return PV_PAIR_USUAL_SPREAD * (self->has_ratios ? 1 : sum / 2 / commit->amounts->len);
}

/* False where a ratio has no logarithm. */
static bool
has_both_sides (const Commit *commit)
{
    for (unsigned i = 0; i < commit->amounts->len; i++)
        if (!(get_amounts (commit, i)[PV_SIDE_BASE] > 0) ||
            !(get_amounts (commit, i)[PV_SIDE_NEW] > 0))
            return false;
    return true;
}

/* Estimates the changes of all commits: each pair tells something of the spread. */
static void
estimate (Bisect *self)
{
    PvPairSpread spread = {0};
    self->has_ratios = true;
    for (guint i = 0; i < self->commits->len; i++)
        self->has_ratios = self->has_ratios && has_both_sides (get_commit (self, i));
    for (guint i = 0; i < self->commits->len; i++) {
        const Commit *commit = get_commit (self, i);
        g_autofree double *changes = list_changes (self, commit);
        pv_pair_spread_add (&spread, changes, commit->amounts->len);
    }
    for (guint i = 0; i < self->commits->len; i++) {
        Commit *commit = get_commit (self, i);
        g_autofree double *changes = list_changes (self, commit);
        if (commit->amounts->len > 0)
            commit->estimate = pv_pair_spread_estimate (&spread, changes, commit->amounts->len,
                                                        find_usual_spread (self, commit));
    }
    self->whole = get_bad (self)->estimate;
}

/* In percent, or in the unit. */
static double
get_amount_of_change (const Bisect *self, double change)
{
    return self->has_ratios ? expm1 (change) * 100 : change;
}

static char *
format_change (const Bisect *self, double change)
{
    double amount = get_amount_of_change (self, change);
    if (!self->has_ratios)
        return pv_format_signed_amount (pv_round_amount (amount), self->unit);
    g_autofree char *number = pv_format_decimals (fabs (amount), 2);
    return g_strdup_printf ("%s%s %%", amount < 0 ? "−" : "+", number);
}

/* "+12.30 %, between +10.90 % and +13.80 %" */
static char *
describe_change (const Bisect *self, const Commit *commit)
{
    g_autofree char *change = format_change (self, commit->estimate.change);
    g_autofree char *low = format_change (self, pv_estimate_get_end (&commit->estimate, false));
    g_autofree char *high = format_change (self, pv_estimate_get_end (&commit->estimate, true));
    /* Translators: an amount, and the ends of the interval in which it truly is. */
    return g_strdup_printf (_ ("%s, between %s and %s"), change, low, high);
}

typedef bool (*IsEnough) (const Bisect *self, const Commit *commit);

/* Builds and records the commit, as far as that was not done earlier, until it is enough. */
static Result
measure (Bisect *self, Commit *commit, IsEnough is_enough, GError **error)
{
    const unsigned max_rounds =
        self->options->n_repeats > 0 ? self->options->n_repeats : DEFAULT_ROUNDS;
    if (has_file (self, commit, ".no-build") || has_file (self, commit, ".no-run"))
        return CANNOT;
    count_rounds (self, commit);
    for (;;) {
        if (commit->n_rounds >= MIN (MIN_ROUNDS, max_rounds)) {
            if (!read_rounds (self, commit, error))
                return FAILS;
            estimate (self);
            g_autofree char *change = describe_change (self, commit);
            say (ngettext ("%s: %s, after %u run of each", "%s: %s, after %u runs of each",
                           commit->n_rounds),
                 get_title (self, commit), change, commit->n_rounds);
            if (is_enough (self, commit) || commit->n_rounds >= max_rounds)
                break;
        }
        Result result = build (self, PV_SIDE_BASE, self->good, error);
        if (result == GOES)
            result = build (self, PV_SIDE_NEW, commit, error);
        if (result == GOES)
            result = record_round (self, commit, error);
        if (result != GOES)
            return result;
    }
    commit->is_measured = true;
    return GOES;
}

static bool
is_whole_known (const Bisect *self, const Commit *commit)
{
    double until =
        self->options->until_percent > 0 ? self->options->until_percent : DEFAULT_UNTIL_PERCENT;
    double low = get_amount_of_change (self, pv_estimate_get_end (&commit->estimate, false));
    double high = get_amount_of_change (self, pv_estimate_get_end (&commit->estimate, true));
    return pv_estimate_is_change (&commit->estimate) ||
           (self->has_ratios && (high - low) / 2 <= until);
}

static bool
is_part_known (const Bisect *self, const Commit *commit)
{
    return pv_estimate_is_enough (&self->whole, &commit->estimate);
}

static bool
measure_ends (Bisect *self, GError **error)
{
    Result result = measure (self, get_bad (self), is_whole_known, error);
    if (result == CANNOT)
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("both ends of the range must build and run"));
    return result == GOES;
}

/* log2 of the number of commits, rounded up, and both ends. */
static unsigned
find_max_builds (const Bisect *self)
{
    return (self->commits->len > 1 ? g_bit_storage (self->commits->len - 1) : 0) + PV_N_SIDES;
}

static uint32_t
find_likeliest (const Bisect *self)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < self->commits->len; i++)
        if (pv_suspects_get_chance (self->suspects, i) >
            pv_suspects_get_chance (self->suspects, best))
            best = i;
    return best;
}

/* Later pairs also tell of what was measured earlier. */
static void
weigh_all (Bisect *self)
{
    pv_suspects_forget (self->suspects);
    for (uint32_t i = 0; i + 1 < self->commits->len; i++) {
        const Commit *commit = get_commit (self, i);
        if (commit->is_measured)
            pv_suspects_add_evidence (self->suspects, i,
                                      pv_estimate_weigh (&self->whole, &commit->estimate));
    }
}

static bool
search (Bisect *self, GError **error)
{
    uint32_t index;
    unsigned n_tests = 0;
    while (n_tests + PV_N_SIDES < find_max_builds (self) &&
           pv_suspects_get_chance (self->suspects, find_likeliest (self)) < FOUND &&
           pv_suspects_choose (self->suspects, &index)) {
        Commit *commit = get_commit (self, index);
        uint32_t n_left = pv_suspects_count_likely (self->suspects);
        say (ngettext ("%u commit is left", "%u commits are left", n_left), n_left);
        switch (measure (self, commit, is_part_known, error)) {
        case GOES:
            n_tests++;
            weigh_all (self);
            break;
        case CANNOT:
            pv_suspects_skip (self->suspects, index);
            break;
        case FAILS:
            return false;
        }
    }
    return true;
}

/* --- the answer --- */

/* The nearest commit before it that is measured and does not have the change; NULL: the good end.
 */
static Commit *
find_before (const Bisect *self, uint32_t index)
{
    for (uint32_t i = index; i-- > 0;)
        if (get_commit (self, i)->is_measured && pv_suspects_contains (self->suspects, index, i) &&
            pv_suspects_get_chance_within (self->suspects, i) < 0.5)
            return get_commit (self, i);
    return NULL;
}

static char *
format_chance (double chance)
{
    /* Nothing that was measured is certain. */
    g_autofree char *number = pv_format_decimals (MIN (chance * 100, 99.9), 1);
    return g_strdup_printf ("%s %%", number);
}

/* True if the commit alone does not explain the change of the range. */
static bool
is_only_a_part (const Bisect *self, const Commit *commit, const Commit *before)
{
    if (!commit->is_measured || commit == get_bad (self))
        return false;
    PvEstimate zero = {0};
    const PvEstimate *part = &commit->estimate;
    const PvEstimate *start = before != NULL ? &before->estimate : &zero;
    double rest = self->whole.change - (part->change - start->change);
    double error = hypot (self->whole.error, hypot (part->error, start->error));
    return fabs (rest) > 3 * error && fabs (rest) > 0.2 * fabs (self->whole.change);
}

static void
print_line (const Bisect *self, Commit *commit, const char *label)
{
    g_autofree char *change = describe_change (self, commit);
    printf ("  %s: %s\n    %s\n", label, change, get_title (self, commit));
}

static void
print_found (const Bisect *self, uint32_t index)
{
    Commit *commit = get_commit (self, index), *before = find_before (self, index);
    g_autofree char *chance = format_chance (pv_suspects_get_chance (self->suspects, index));
    g_autofree char *author =
        pv_git_ask (self->top, NULL, "show", "-s", "--format=%an, %ad", commit->id, NULL);
    g_autofree char *shown =
        author != NULL ? pv_make_showable (author, strlen (author)) : g_strdup ("");
    printf ("%s\n  %s\n", get_title (self, commit), shown);
    /* Translators: a chance in percent. */
    printf (_ ("The change came with this commit, with a chance of %s.\n"), chance);
    /* Translators: the title of a commit. */
    printf (_ ("Against %s:\n"), get_title (self, self->good));
    if (before != NULL)
        print_line (self, before, _ ("before it"));
    if (commit->is_measured)
        print_line (self, commit, _ ("with it"));
    if (commit != get_bad (self))
        print_line (self, get_bad (self), _ ("at the end"));
    if (is_only_a_part (self, commit, before))
        puts (_ ("Other commits of the range change it as well."));
}

static void
print_suspects (const Bisect *self)
{
    g_autofree uint32_t *order = g_new (uint32_t, self->commits->len);
    uint32_t n = 0;
    print_line (self, get_bad (self), _ ("at the end"));
    puts (_ ("It cannot be told with which of these commits the change came; more runs may tell "
             "(--repeat=N):"));
    for (uint32_t i = 0; i < self->commits->len; i++) {
        double chance = pv_suspects_get_chance (self->suspects, i);
        uint32_t at = n++;
        for (; at > 0 && pv_suspects_get_chance (self->suspects, order[at - 1]) < chance; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t i = 0; i < MIN (n, N_SHOWN); i++) {
        Commit *commit = get_commit (self, order[i]);
        double chance = pv_suspects_get_chance (self->suspects, order[i]);
        g_autofree char *text = format_chance (chance);
        if (chance < 0.001)
            break;
        const char *state = has_file (self, commit, ".no-build") ? _ (" (does not build)")
                            : has_file (self, commit, ".no-run") ? _ (" (does not run)")
                                                                 : "";
        printf ("  %7s  %s%s\n", text, get_title (self, commit), state);
    }
}

static void
print_nothing (const Bisect *self)
{
    Commit *bad = get_bad (self);
    g_autofree char *change = describe_change (self, bad);
    /* Translators: the titles of two commits. */
    printf (_ ("There is no change that can be told between\n  %s and\n  %s\n"),
            get_title (self, self->good), get_title (self, bad));
    printf (ngettext ("It is %s, after %u run of each.\n", "It is %s, after %u runs of each.\n",
                      bad->n_rounds),
            change, bad->n_rounds);
    if (self->options->out.function == NULL)
        puts (_ ("One function can have changed by more: --function=REGEX follows it alone."));
}

static void
append_string (GString *out, const char *key, const char *value)
{
    g_string_append_printf (out, "%s\"%s\": ", out->len > 1 ? ", " : "", key);
    if (value != NULL)
        pv_json_append_string (out, value);
    else
        g_string_append (out, "null");
}

static void
append_number (GString *out, const char *key, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (out, ", \"%s\": %s", key,
                            isfinite (number) ? g_ascii_formatd (text, sizeof text, "%.15g", number)
                                              : "null");
}

static void
append_change (const Bisect *self, GString *out, const char *prefix, const Commit *commit)
{
    const PvEstimate *estimate = &commit->estimate;
    const struct {
        const char *name;
        double value;
    } fields[] = {{"change", estimate->change},
                  {"change_low", pv_estimate_get_end (estimate, false)},
                  {"change_high", pv_estimate_get_end (estimate, true)}};
    for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
        g_autofree char *key = g_strconcat (prefix, fields[i].name, NULL);
        append_number (out, key, get_amount_of_change (self, fields[i].value));
    }
}

/* One object; commits are their ids, chances are from 0 to 1. */
static void
print_json (const Bisect *self, PvBisectEnd end, uint32_t index)
{
    static const char *const results[] = {[PV_BISECT_FOUND] = "found",
                                          [PV_BISECT_UNSURE] = "unsure",
                                          [PV_BISECT_NOTHING] = "nothing"};
    g_autoptr (GString) out = g_string_new ("{");
    append_string (out, "result", results[end]);
    append_string (out, "good", self->good->id);
    append_string (out, "bad", get_bad (self)->id);
    append_string (out, "unit", self->has_ratios ? "%" : pv_print_name_unit (self->unit));
    append_change (self, out, "whole_", get_bad (self));
    if (end == PV_BISECT_FOUND) {
        const Commit *commit = get_commit (self, index), *before = find_before (self, index);
        append_string (out, "commit", commit->id);
        append_number (out, "chance", pv_suspects_get_chance (self->suspects, index));
        append_string (out, "before", before != NULL ? before->id : self->good->id);
        if (commit->is_measured)
            append_change (self, out, "", commit);
        if (before != NULL)
            append_change (self, out, "before_", before);
    }
    g_string_append (out, ", \"suspects\": [");
    bool is_first = true;
    for (uint32_t i = 0; i < self->commits->len && end != PV_BISECT_NOTHING; i++) {
        double chance = pv_suspects_get_chance (self->suspects, i);
        if (chance < 0.001)
            continue;
        g_autoptr (GString) one = g_string_new ("{");
        append_string (one, "commit", get_commit (self, i)->id);
        append_number (one, "chance", chance);
        g_string_append_printf (out, "%s%s}", is_first ? "" : ", ", one->str);
        is_first = false;
    }
    g_string_append (out, "]");
    append_string (out, "folder", self->folder);
    printf ("%s}\n", out->str);
}

/* The recordings of both ends, or of the commit and of the one before it, become the files. */
static void
set_files (const Bisect *self, PvBisectEnd end, uint32_t index)
{
    PvOptions *options = self->options;
    Commit *commit = end == PV_BISECT_FOUND ? get_commit (self, index) : get_bad (self);
    Commit *before = end == PV_BISECT_FOUND ? find_before (self, index) : NULL;
    if (!commit->is_measured)
        commit = get_bad (self);
    g_strfreev (options->open.base_files);
    g_strfreev (options->open.files);
    options->open.base_files = before != NULL ? list_packs (self, before, PV_SIDE_NEW)
                                              : list_packs (self, commit, PV_SIDE_BASE);
    options->open.files = list_packs (self, commit, PV_SIDE_NEW);
    options->side_titles[PV_SIDE_BASE] =
        g_strdup (get_title (self, before != NULL ? before : self->good));
    options->side_titles[PV_SIDE_NEW] = g_strdup (get_title (self, commit));
    options->is_diff = true;
}

static PvBisectEnd
answer (const Bisect *self)
{
    const PvOptions *options = self->options;
    uint32_t index = find_likeliest (self);
    PvBisectEnd end = !pv_estimate_is_change (&self->whole)                     ? PV_BISECT_NOTHING
                      : pv_suspects_get_chance (self->suspects, index) >= FOUND ? PV_BISECT_FOUND
                                                                                : PV_BISECT_UNSURE;
    set_files (self, end, index);
    if (options->out.format == PV_FORMAT_JSON && options->out.print == PV_PRINT_NONE)
        print_json (self, end, index);
    else if (end == PV_BISECT_FOUND)
        print_found (self, index);
    else if (end == PV_BISECT_UNSURE)
        print_suspects (self);
    else
        print_nothing (self);
    if (end != PV_BISECT_UNSURE)
        remove_trees (self);
    return end;
}

/* --- the search --- */

/* Finds the work tree, and forgets which repository a hook of git, or another tool, has chosen. */
static bool
find_tree (Bisect *self, GError **error)
{
    g_autofree char *current = g_get_current_dir ();
    self->top = pv_git_ask (current, error, "rev-parse", "--show-toplevel", NULL);
    self->place =
        self->top != NULL ? pv_git_ask (current, error, "rev-parse", "--show-prefix", NULL) : NULL;
    if (self->place == NULL)
        return false;
    g_autofree char *list = pv_git_ask (current, error, "rev-parse", "--local-env-vars", NULL);
    g_auto (GStrv) names = list != NULL ? g_strsplit (list, "\n", -1) : NULL;
    for (char **name = names; name != NULL && *name != NULL; name++)
        g_unsetenv (*name);
    return list != NULL;
}

static bool
run (Bisect *self, GError **error)
{
    if (!find_tree (self, error) || !read_history (self, error) || !open_folder (self, error))
        return false;
    g_autofree char *shown = pv_format_path (self->folder);
    unsigned n = self->commits->len;
    say (ngettext ("%u commit, up to %u builds; recordings go to %s",
                   "%u commits, up to %u builds; recordings go to %s", n),
         n, find_max_builds (self), shown);
    g_autoptr (GPtrArray) advice =
        pv_run_conditions_foresee (self->options->record_plan, pv_machine_get_root ());
    pv_cli_say_advice (advice);
    return measure_ends (self, error) &&
           (!pv_estimate_is_change (&self->whole) || search (self, error));
}

PvBisectEnd
pv_cli_bisect (PvOptions *options, char **ret_folder, int *ret_status)
{
    g_assert (options->bisect_range != NULL && options->record_plan != NULL);
    g_autoptr (GError) error = NULL;
    Bisect self = {.options = options,
                   .lock = -1,
                   .status = EXIT_ERROR,
                   .commits = g_ptr_array_new_with_free_func (commit_free)};
    PvBisectEnd end = PV_BISECT_FAILED;
    if (run (&self, &error))
        end = answer (&self);
    else
        say ("%s", error->message);
    *ret_status = self.status;
    *ret_folder = g_steal_pointer (&self.folder);
    if (self.good != NULL)
        commit_free (self.good);
    g_ptr_array_unref (self.commits);
    pv_suspects_free (self.suspects);
    if (self.lock >= 0)
        close (self.lock);
    g_free (self.top);
    g_free (self.place);
    return end;
}
