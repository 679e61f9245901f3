/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisecting.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/bisect/answer.h"
#include "cli/check.h"
#include "cli/loading/comparing.h"
#include "cli/recording.h"
#include "core/base/format.h"
#include "core/base/saved-files.h"
#include "core/write/escape.h"
#include "export/exports.h"
#include "record/advice/run-conditions.h"
#include "record/plan/find-program.h"

enum {
    MIN_ROUNDS = 3,
    DEFAULT_ROUNDS = 20,
    N_LOG_LINES = 20,
    N_LOG_BYTES = 1 << 14,
    EXIT_ERROR = 1,
    EXIT_SIGNAL = 128,
};
#define DEFAULT_UNTIL_PERCENT 1.0

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

/* --- the folder of the search --- */

/* The same for the same search; that is one with the same recordings. */
static char *
make_key (const PvBisect *self)
{
    const PvOptions *options = self->options;
    g_autofree char *recording = pv_record_plan_format_command (options->record_plan);
    g_autofree char *environment = options->record_plan->environment != NULL
                                       ? g_strjoinv ("\n", options->record_plan->environment)
                                       : NULL;
    g_autofree char *text = g_strjoin ("\n", self->history->top, self->history->place,
                                       self->good->id, pv_bisect_get_bad (self)->id,
                                       options->bisect_build, recording, environment, NULL);
    g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    g_autofree char *name = g_path_get_basename (self->history->top);
    return g_strdup_printf ("%s-%.12s", name, sum);
}

static bool
open_folder (PvBisect *self, GError **error)
{
    g_autofree char *key = make_key (self);
    const char *cache = g_get_user_cache_dir ();
    /* As the XDG Base Directory Specification says of relative paths. */
    self->folder =
        g_path_is_absolute (cache)
            ? g_build_filename (cache, "profview", "bisect", key, NULL)
            : g_build_filename (g_get_home_dir (), ".cache", "profview", "bisect", key, NULL);
    int code = pv_saved_make_folder (self->folder);
    if (code != 0)
        return pv_saved_set_error (error, self->folder, code);
    g_autofree char *path = pv_bisect_make_path (self, "lock");
    self->lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (self->lock < 0)
        return pv_saved_set_error (error, path, errno);
    if (flock (self->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                         _ ("this search is already running"));
    return false;
}

/* --- what cannot be measured --- */

/* Remembers it for a search that is asked again; the ends of the range are tried again. */
static void
set_aside (const PvBisect *self, PvBisectCommit *commit, bool is_broken)
{
    g_autofree char *path =
        pv_bisect_make_file_path (self, commit, is_broken ? "-build-failed" : "-run-failed");
    *(is_broken ? &commit->is_broken : &commit->is_unable) = true;
    if (commit != self->good && commit != pv_bisect_get_bad (self))
        g_file_set_contents (path, "", 0, NULL);
}

/* True if an earlier search found that. */
static bool
was_set_aside (const PvBisect *self, PvBisectCommit *commit)
{
    for (unsigned i = 0; i < 2; i++) {
        const bool is_broken = i == 0;
        g_autofree char *path =
            pv_bisect_make_file_path (self, commit, is_broken ? "-build-failed" : "-run-failed");
        if (!g_file_test (path, G_FILE_TEST_EXISTS))
            continue;
        g_autofree char *shown = pv_format_path (path);
        *(is_broken ? &commit->is_broken : &commit->is_unable) = true;
        if (is_broken)
            /* Translators: the title of a commit, and the path of a file, as in the next one */
            say (_ ("%s did not build earlier; delete %s to try it again"),
                 pv_bisect_get_title (self, commit), shown);
        else
            say (_ ("%s did not run earlier; delete %s to try it again"),
                 pv_bisect_get_title (self, commit), shown);
        return true;
    }
    return false;
}

/* --- builds --- */

/* The end of a log; NULL: there is none. g_free () it. */
static char *
read_log_end (const char *path)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    char *text = g_malloc0 (N_LOG_BYTES + 1);
    lseek (fd, -N_LOG_BYTES, SEEK_END); /* or it is shorter */
    if (read (fd, text, N_LOG_BYTES) <= 0)
        g_clear_pointer (&text, g_free);
    close (fd);
    return text;
}

static void
show_log_end (const char *path)
{
    g_autofree char *text = read_log_end (path);
    g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
    guint n = lines != NULL ? g_strv_length (lines) : 0;
    for (guint i = n > N_LOG_LINES ? n - N_LOG_LINES : 0; i < n; i++) {
        g_autofree char *shown = pv_make_showable (lines[i], strlen (lines[i]));
        if (*shown != '\0')
            fprintf (stderr, "    %s\n", shown);
    }
}

typedef enum {
    GOES,   /* as it should */
    CANNOT, /* this commit cannot be measured */
    FAILS,  /* nor can any other; there is an error */
} Result;

static Result
set_interrupted (PvBisect *self, int status, GError **error)
{
    self->status = status;
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR,
                         _ ("interrupted; the same command goes on from here"));
    self->goes_on = true;
    return FAILS;
}

/* Makes the commit ready to run in the tree of a side. */
static Result
build (PvBisect *self, PvSide side, PvBisectCommit *commit, GError **error)
{
    int number;
    g_autofree char *log = pv_bisect_make_file_path (self, commit, "-build.log");
    if (pv_work_trees_has (&self->trees, side, commit->id))
        return GOES;
    say (_ ("building %s"), pv_bisect_get_title (self, commit));
    self->n_built += side == PV_SIDE_NEW;
    PvBuildResult result =
        pv_work_trees_build (&self->trees, side, commit->id, log, &number, error);
    if (number != 0) {
        g_clear_error (error);
        return set_interrupted (self, EXIT_SIGNAL + number, error);
    }
    if (result != PV_BUILD_BROKEN)
        return result == PV_BUILD_DONE ? GOES : FAILS;
    g_autofree char *shown = pv_format_path (log);
    say (_ ("%s does not build; the end of %s:"), pv_bisect_get_title (self, commit), shown);
    show_log_end (log);
    set_aside (self, commit, true);
    return CANNOT;
}

/* --- recordings --- */

static PvRecordPlan *
make_plan (const PvBisect *self, PvSide side)
{
    PvRecordPlan *plan = pv_record_plan_copy (self->options->record_plan);
    g_autofree char *tree = pv_work_trees_get_path (&self->trees, side);
    g_free (plan->folder);
    g_free (plan->output);
    plan->folder = g_build_filename (tree, self->history->place, NULL);
    plan->output = pv_bisect_make_path (self, "recording.data");
    return plan;
}

static void
move_output (int fd)
{
    fflush (stdout);
    if (fd >= 0)
        dup2 (fd, STDOUT_FILENO);
}

/* Records with what the program prints in a file; *ret_path is the recording. */
static int
record_once (PvBisect *self, const PvRecordPlan *plan, char **ret_path, PvCliRecordEnd *ret_end)
{
    PvOptions one = *self->options;
    g_autofree char *log = pv_bisect_make_path (self, "output.log");
    one.record_plan = (PvRecordPlan *)plan;
    one.is_repetition = self->has_advised;
    self->has_advised = true;
    int kept = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int fd = open (log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    move_output (fd);
    int status = pv_cli_record (&one, ret_path, ret_end);
    move_output (kept);
    if (kept >= 0)
        close (kept);
    if (fd >= 0)
        close (fd);
    return status;
}

/* The program of this commit failed, and again when it was tried once more. */
static Result
set_unable (PvBisect *self, PvBisectCommit *commit, PvSide side, const char *reason, GError **error)
{
    if (side == PV_SIDE_BASE) {
        /* Translators: the title of a commit, and why */
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("%s does not run: %s"),
                     pv_bisect_get_title (self, self->good), reason);
        return FAILS;
    }
    say (_ ("%s does not run: %s"), pv_bisect_get_title (self, commit), reason);
    set_aside (self, commit, false);
    return CANNOT;
}

static Result
record (PvBisect *self, PvBisectCommit *commit, PvSide side, char **ret_path, GError **error)
{
    g_autoptr (PvRecordPlan) plan = make_plan (self, side);
    g_autoptr (GError) missing = NULL;
    g_autofree char *program =
        pv_find_folder (plan, &missing) ? pv_find_program (plan, &missing) : NULL;
    g_autofree char *reason = NULL;
    if (program == NULL)
        return set_unable (self, commit, side, missing->message, error);
    for (unsigned i = 0; i < 2; i++) {
        PvCliRecordEnd end;
        int status = record_once (self, plan, ret_path, &end);
        if (end == PV_CLI_RECORDED && status == 0 && *ret_path != NULL)
            return GOES;
        if (*ret_path != NULL)
            g_unlink (*ret_path);
        g_clear_pointer (ret_path, g_free);
        if (end == PV_CLI_INTERRUPTED)
            return set_interrupted (self, status > 1 ? status : EXIT_SIGNAL + SIGINT, error);
        if (end == PV_CLI_NOT_RECORDED) {
            g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                                 _ ("nothing was recorded; the same command goes on from here"));
            self->goes_on = true;
            return FAILS;
        }
        g_free (reason);
        reason = end == PV_CLI_RECORDED_NOTHING ? g_strdup (_ ("there is nothing to record"))
                                                : /* Translators: the exit status of a program */
                     g_strdup_printf (_ ("status %d"), status);
    }
    return set_unable (self, commit, side, reason, error);
}

/* Keeps a recording with its names as a pack: the program it is of will be replaced. */
static bool
pack (const PvBisect *self, const char *recording, const char *path, GError **error)
{
    PvOptions one = *self->options;
    char *files[] = {(char *)recording, NULL};
    PvQuery query;
    g_auto (PvCliLoaded) loaded = {0};
    one.open.files = files;
    g_autoptr (GPtrArray) sources = pv_cli_sources_new (&one);
    bool is_done = pv_cli_source_load (sources->pdata[0], &one, &loaded, error) &&
                   pv_cli_make_query (&one, &loaded, &query, error);
    if (is_done) {
        const PvExportRequest request = {.profile = loaded.profile,
                                         .symbols = loaded.symbols,
                                         .query = &query,
                                         .options = &one.out,
                                         .name = path};
        is_done = pv_export_write (pv_export_find (path), &request, path, NULL, error);
        pv_query_clear (&query);
    }
    if (!is_done)
        g_prefix_error (error, "%s: ", path);
    return is_done;
}

static bool
is_damaged (const PvProfile *profile)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (profile->notes[i].kind == PV_NOTE_TRUNCATED_FILE)
            return true;
    return false;
}

/* The amount of a recording: of what stacks with the function have, or everything. */
static bool
read_amount (PvBisect *self, const char *path, double *ret_amount, GError **error)
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
    if (is_done && is_damaged (loaded.profile)) {
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("the file is damaged"));
        return false;
    }
    *ret_amount = judgement.value;
    self->unit = judgement.unit;
    return is_done;
}

/* The amounts of a round; without an error there is no such round. */
static bool
read_round (PvBisect *self, const PvBisectCommit *commit, unsigned round, double *ret_amounts,
            GError **error)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_autofree char *path = pv_bisect_make_pack_path (self, commit, side, round);
        if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
            return false;
        if (!read_amount (self, path, &ret_amounts[side], error)) {
            g_prefix_error (error, "%s: ", path);
            return false;
        }
    }
    return true;
}

/* Reads what was recorded earlier; what cannot be read is recorded again. */
static void
read_earlier_rounds (PvBisect *self, PvBisectCommit *commit)
{
    g_autoptr (GError) error = NULL;
    double amounts[PV_N_SIDES];
    while (read_round (self, commit, commit->amounts->len, amounts, &error))
        g_array_append_vals (commit->amounts, amounts, 1);
    if (error == NULL)
        return;
    say (_ ("%s; it is recorded again"), error->message);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_autofree char *path = pv_bisect_make_pack_path (self, commit, side, commit->amounts->len);
        g_unlink (path);
    }
}

/* Both sides once, each first as often as the other. */
static Result
record_round (PvBisect *self, PvBisectCommit *commit, GError **error)
{
    const unsigned round = commit->amounts->len;
    double amounts[PV_N_SIDES];
    for (unsigned i = 0; i < PV_N_SIDES; i++) {
        const PvSide side = (PvSide)(i ^ (round & 1));
        g_autofree char *path = pv_bisect_make_pack_path (self, commit, side, round);
        g_autofree char *recording = NULL;
        Result result = record (self, commit, side, &recording, error);
        if (result != GOES)
            return result;
        bool is_packed = pack (self, recording, path, error);
        g_unlink (recording);
        if (!is_packed)
            return FAILS;
    }
    if (!read_round (self, commit, round, amounts, error))
        return FAILS;
    g_array_append_vals (commit->amounts, amounts, 1);
    return GOES;
}

/* --- measuring --- */

static Result
set_nothing_matches (const PvBisect *self, GError **error)
{
    const char *function = self->options->out.function;
    if (function != NULL)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     _ ("--function: no function of either end matches “%s”"), function);
    else
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                             _ ("neither end of the range has anything of this measure"));
    return FAILS;
}

static Result
set_bad_end (GError **error)
{
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         _ ("both ends of the range must build and run"));
    return FAILS;
}

typedef bool (*IsEnough) (const PvBisect *self, const PvBisectCommit *commit);

/* Builds and records the commit, as far as that was not done yet, until it is enough. */
static Result
measure (PvBisect *self, PvBisectCommit *commit, IsEnough is_enough, GError **error)
{
    const unsigned n_repeats = self->options->n_repeats;
    const unsigned max_rounds = n_repeats > 0 ? n_repeats : DEFAULT_ROUNDS;
    bool is_news = !commit->is_measured;
    if (!commit->is_measured && was_set_aside (self, commit))
        return CANNOT;
    if (!commit->is_measured)
        read_earlier_rounds (self, commit);
    for (;; is_news = true) {
        if (commit->amounts->len >= MIN (MIN_ROUNDS, max_rounds)) {
            pv_bisect_estimate (self);
            g_autofree char *change = pv_bisect_describe_change (self, commit);
            if (commit == pv_bisect_get_bad (self) && pv_bisect_are_all (commit, false))
                return set_nothing_matches (self, error);
            if (is_news)
                say (ngettext ("%s: %s, after %u run of each", "%s: %s, after %u runs of each",
                               commit->amounts->len),
                     pv_bisect_get_title (self, commit), change, commit->amounts->len);
            if (is_enough (self, commit) || commit->amounts->len >= max_rounds)
                break;
        }
        Result result = build (self, PV_SIDE_BASE, self->good, error);
        if (result == CANNOT)
            return set_bad_end (error);
        if (result == GOES)
            result = build (self, PV_SIDE_NEW, commit, error);
        if (result == GOES)
            result = record_round (self, commit, error);
        if (result == CANNOT && commit == pv_bisect_get_bad (self))
            return set_bad_end (error);
        if (result != GOES)
            return result;
    }
    commit->is_measured = true;
    return GOES;
}

static bool
is_whole_known (const PvBisect *self, const PvBisectCommit *commit)
{
    const PvOptions *options = self->options;
    double until = options->until_percent > 0 ? options->until_percent : DEFAULT_UNTIL_PERCENT;
    double low = pv_bisect_get_amount (self, pv_estimate_get_end (&commit->estimate, false));
    double high = pv_bisect_get_amount (self, pv_estimate_get_end (&commit->estimate, true));
    return pv_estimate_is_change (&commit->estimate) ||
           (self->has_ratios && low >= -until && high <= until);
}

static bool
is_part_known (const PvBisect *self, const PvBisectCommit *commit)
{
    return pv_estimate_is_enough (&pv_bisect_get_bad (self)->estimate, &commit->estimate);
}

static bool
has_change (const PvBisect *self)
{
    return pv_estimate_is_change (&pv_bisect_get_bad (self)->estimate);
}

/* Later pairs also tell of what was measured earlier. */
static void
weigh_all (PvBisect *self)
{
    PvSuspects *suspects = self->history->suspects;
    pv_suspects_forget (suspects);
    for (uint32_t i = 0; i + 1 < self->commits->len; i++) {
        const PvBisectCommit *commit = pv_bisect_get (self, i);
        if (commit->is_measured)
            pv_suspects_add_evidence (
                suspects, i,
                pv_estimate_weigh (&pv_bisect_get_bad (self)->estimate, &commit->estimate));
    }
}

/* Measures no more commits than clear ones would need; the same command goes on. */
static bool
search (PvBisect *self, GError **error)
{
    PvSuspects *suspects = self->history->suspects;
    /* Merges cannot always be halved. */
    unsigned n_left = self->history->n_possible + (self->history->is_chain ? 0 : 2);
    uint32_t index;
    while (n_left > 0 && has_change (self) &&
           pv_suspects_get_chance (suspects, pv_bisect_find_likeliest (self)) <
               PV_BISECT_FOUND_CHANCE &&
           pv_suspects_choose (suspects, &index)) {
        PvBisectCommit *commit = pv_bisect_get (self, index);
        uint32_t n_likely = pv_suspects_count_likely (suspects);
        const unsigned n_built = self->n_built;
        say (ngettext ("%u commit is left", "%u commits are left", n_likely), n_likely);
        Result result = measure (self, commit, is_part_known, error);
        n_left -= result == GOES && self->n_built > n_built;
        if (result == CANNOT) {
            pv_suspects_skip (suspects, index);
            continue;
        }
        /* Its runs may have shown that runs differ by more than the ends did. */
        if (result == FAILS ||
            measure (self, pv_bisect_get_bad (self), is_whole_known, error) != GOES)
            return false;
        if (has_change (self))
            weigh_all (self);
    }
    return true;
}

/* --- the search --- */

static void
tell_plan (const PvBisect *self)
{
    const PvRecordPlan *plan = self->options->record_plan;
    g_autofree char *top = g_strconcat (self->history->top, "/", NULL);
    g_autofree char *shown = pv_format_path (self->folder);
    unsigned n = self->commits->len;
    say (ngettext ("%u commit, about %u builds; recordings go to %s",
                   "%u commits, about %u builds; recordings go to %s", n),
         n, self->history->n_possible + PV_N_SIDES, shown);
    if (self->history->has_joined)
        say (_ ("what was forked before the good commit counts as its merge"));
    if (g_str_has_prefix (plan->argv[0], top))
        say (_ ("%s is in your work tree: all commits run this one. Name it from the folder you "
                "are in"),
             plan->argv[0]);
    g_autoptr (GPtrArray) advice = pv_run_conditions_foresee (plan, pv_machine_get_root ());
    pv_cli_say_advice (advice);
}

static bool
run (PvBisect *self, GError **error)
{
    self->history = pv_history_read (self->options->bisect_range, error);
    if (self->history == NULL)
        return false;
    pv_bisect_add_commits (self);
    if (!open_folder (self, error))
        return false;
    self->trees = (PvWorkTrees){self->history, self->folder, self->options->bisect_build};
    tell_plan (self);
    return measure (self, pv_bisect_get_bad (self), is_whole_known, error) == GOES &&
           search (self, error);
}

PvBisectEnd
pv_cli_bisect (PvOptions *options, char **ret_folder, int *ret_status)
{
    g_assert (options->bisect_range != NULL && options->record_plan != NULL);
    g_autoptr (GError) error = NULL;
    PvBisect self = {.options = options, .lock = -1, .status = EXIT_ERROR};
    const bool is_alone = options->out.print == PV_PRINT_NONE && options->checks == NULL;
    PvBisectEnd end = PV_BISECT_FAILED;
    if (run (&self, &error))
        end = pv_bisect_answer (&self, is_alone ? stdout : stderr,
                                is_alone && options->out.format == PV_FORMAT_JSON);
    else
        say ("%s", error->message);
    /* They stay where the same command goes on. */
    if (self.trees.folder != NULL && end != PV_BISECT_UNSURE && !self.goes_on)
        pv_work_trees_remove (&self.trees);
    *ret_status = self.status;
    *ret_folder = g_steal_pointer (&self.folder);
    pv_bisect_clear_commits (&self);
    pv_history_free (self.history);
    if (self.lock >= 0)
        close (self.lock);
    return end;
}
