/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/advice/run-conditions.h"

#include <glib/gi18n-lib.h>

#include "core/base/format.h"
#include "record/advice/checks-private.h"

/* Less is usual, and changes a program's time by less than its runs differ anyway. */
#define MIN_OTHERS    0.1  /* share of all CPUs' time */
#define MIN_STOLEN    0.01 /* the same */
#define MIN_FREQUENCY 0.05 /* by how much the lowest is below the highest */
#define MIN_TICKS     5    /* fewer are too coarse for a share */

#define LOOK_US 200000 /* long enough for some 20 ticks of each CPU */

enum { MAX_LISTED = 8 };

static GPtrArray *
new_advice (PvCheck *check)
{
    GPtrArray *advice = pv_advice_array_new ();
    *check = (PvCheck){.advice = advice};
    return advice;
}

static char *
format_percent (double share)
{
    return pv_format_decimals (share * 100, share < 0.1 ? 1 : 0);
}

bool
pv_run_conditions_matter (const PvRecordPlan *plan)
{
    return pv_recorder_get (plan->kind)->subject != PV_RECORD_SUBJECT_HEAP;
}

/* Before the runs */

static void
foresee_governor (PvCheck *check, const PvMachineState *state)
{
    if (state->governor == NULL)
        return;
    pv_check_add (
        check,
        (PvAdviceHead){PV_ADVICE_HINT, "governor",
                       _ ("The processor’s governor is not “performance”"),
                       state->may_perform ? PV_FIX_COPY : PV_FIX_NONE,
                       state->may_perform ? "echo performance | sudo tee "
                                            "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
                                          : NULL},
        g_strdup_printf (
            state->may_perform
                ? _ ("With “%s”, the frequency may follow the load, so runs may differ by more "
                     "than their code does. With “performance”, until the machine is restarted, "
                     "they differ less.")
                : _ ("With “%s”, the frequency may follow the load, so runs may differ by more "
                     "than their code does."),
            state->governor));
}

static void
foresee_turbo (PvCheck *check, const PvMachineState *state)
{
    if (state->turbo == PV_TURBO_UNKNOWN || state->turbo == PV_TURBO_OFF)
        return;
    pv_check_add (
        check,
        (PvAdviceHead){PV_ADVICE_HINT, "turbo", _ ("The processor may run faster for a while"),
                       PV_FIX_COPY,
                       state->turbo == PV_TURBO_ON_INTEL
                           ? "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
                           : "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
        g_strdup (_ ("How long depends on heat and on what other cores do (turbo), so runs may "
                     "differ. Without it, until the machine is restarted, they are slower, but "
                     "differ less.")));
}

GPtrArray *
pv_run_conditions_foresee_with (const PvMachineState *state, double others)
{
    g_assert (state != NULL);
    PvCheck check;
    GPtrArray *advice = new_advice (&check);
    if (state->is_on_battery)
        pv_check_add (
            &check,
            (PvAdviceHead){PV_ADVICE_WARNING, "battery", _ ("The computer runs on its battery")},
            g_strdup (_ ("Processors may be slower then and change their frequency more often. "
                         "Connect it to the mains before you record.")));
    if (others >= MIN_OTHERS) {
        g_autofree char *percent = format_percent (others);
        pv_check_add (
            &check, (PvAdviceHead){PV_ADVICE_WARNING, "load", _ ("Other programs are busy")},
            g_strdup_printf (_ ("They use %s %% of the processors’ time just now, so runs "
                                "may differ. End them before you record."),
                             percent));
    }
    foresee_governor (&check, state);
    foresee_turbo (&check, state);
    return advice;
}

GPtrArray *
pv_run_conditions_foresee (const PvRecordPlan *plan, const char *root)
{
    g_assert (plan != NULL && root != NULL);
    g_auto (PvMachineState) state = {0};
    PvTicks before, after;
    PvRunConditions now;
    if (!pv_run_conditions_matter (plan))
        return pv_advice_array_new ();
    pv_ticks_read (&before, root);
    pv_machine_state_read (&state, root);
    g_usleep (LOOK_US);
    pv_ticks_read (&after, root);
    pv_run_conditions_set_ticks (&now, &before, &after, true);
    return pv_run_conditions_foresee_with (&state, now.others);
}

/* A run */

void
pv_run_conditions_set_ticks (PvRunConditions *run, const PvTicks *before, const PvTicks *after,
                             bool counts_others)
{
    run->others = run->stolen = -1;
    if (before->all == 0 || after->all <= before->all || after->idle < before->idle ||
        after->stolen < before->stolen || after->own < before->own)
        return;
    const double all = (double)(after->all - before->all);
    const double stolen = (double)(after->stolen - before->stolen);
    const double others =
        all - (double)(after->idle - before->idle) - stolen - (double)(after->own - before->own);
    run->stolen = stolen < MIN_TICKS ? 0 : stolen / all;
    if (counts_others)
        run->others = others < MIN_TICKS ? 0 : others / all;
}

void
pv_run_conditions_set_heat (PvRunConditions *run, const GArray *before, const GArray *after)
{
    run->n_throttled = 0;
    for (guint i = 0, k = 0; before != NULL && after != NULL && i < after->len; i++) {
        const PvCpuHeat *now = &g_array_index (after, PvCpuHeat, i);
        while (k < before->len && g_array_index (before, PvCpuHeat, k).number < now->number)
            k++;
        if (k == before->len)
            return;
        const PvCpuHeat *then = &g_array_index (before, PvCpuHeat, k);
        /* A CPU may have been switched off and on again. */
        if (then->number == now->number && now->n_throttled > then->n_throttled)
            run->n_throttled = MAX (run->n_throttled, now->n_throttled - then->n_throttled);
    }
}

/* Names of runs */

typedef struct {
    const PvRunConditions *runs;
    unsigned n_runs;
} Runs;

typedef bool (*IsHit) (const PvRunConditions *run);

static char *
join (char *first, const char *second)
{
    /* Translators: between the last two things of a list */
    char *joined = g_strdup_printf (_ ("%s and %s"), first, second);
    g_free (first);
    return joined;
}

/* "1, 3 and 4" */
static char *
list_numbers (const GArray *numbers)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < numbers->len; i++) {
        const unsigned number = g_array_index (numbers, unsigned, i);
        g_autofree char *last = g_strdup_printf ("%u", number);
        if (i > 0 && i + 1 == numbers->len)
            return join (g_string_free (g_steal_pointer (&text), FALSE), last);
        g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", last);
    }
    return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Sides may be exchanged later, so these are names of programs; NULL: there is only one. */
static char *
name_program (const Runs *all, PvSide side)
{
    const char *programs[PV_N_SIDES] = {NULL};
    for (unsigned i = 0; i < all->n_runs; i++)
        programs[all->runs[i].side] = all->runs[i].program;
    if (programs[side] == NULL)
        return NULL;
    if (g_strcmp0 (programs[PV_SIDE_BASE], programs[PV_SIDE_NEW]) == 0)
        return g_strdup (side == PV_SIDE_BASE ? _ ("the first program") : _ ("the second program"));
    return g_filename_display_name (programs[side]);
}

/* "runs 3 and 4 of ./new" */
static char *
name_few (const Runs *all, PvSide side, const GArray *numbers)
{
    g_autofree char *list = list_numbers (numbers);
    g_autofree char *program = name_program (all, side);
    const unsigned n = numbers->len;
    if (program == NULL)
        return g_strdup_printf (ngettext ("run %s", "runs %s", n), list);
    /* Translators: numbers of runs, and a program */
    return g_strdup_printf (ngettext ("run %s of %s", "runs %s of %s", n), list, program);
}

static char *
name_many (const Runs *all, PvSide side, unsigned n, unsigned n_all)
{
    g_autofree char *program = name_program (all, side);
    if (program == NULL)
        return g_strdup_printf (ngettext ("%u of %u run", "%u of %u runs", n_all), n, n_all);
    /* Translators: numbers of runs, and a program */
    return g_strdup_printf (ngettext ("%u of %u run of %s", "%u of %u runs of %s", n_all), n, n_all,
                            program);
}

/* The numbers of the side's runs that are hit. */
static GArray *
list_hit (const Runs *all, PvSide side, IsHit is_hit, unsigned *ret_n_all)
{
    GArray *numbers = g_array_new (FALSE, FALSE, sizeof (unsigned));
    *ret_n_all = 0;
    for (unsigned i = 0; i < all->n_runs; i++) {
        const unsigned number = all->runs[i].round + 1;
        if (all->runs[i].side != side)
            continue;
        ++*ret_n_all;
        if (is_hit (&all->runs[i]))
            g_array_append_val (numbers, number);
    }
    return numbers;
}

/* "run 2 of ./old and runs 3 and 4 of ./new"; NULL: it was none. */
static char *
name_hit (const Runs *all, IsHit is_hit)
{
    char *names = NULL;
    unsigned n_hit = 0;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        unsigned n_all;
        g_autoptr (GArray) numbers = list_hit (all, side, is_hit, &n_all);
        if (numbers->len == 0)
            continue;
        n_hit += numbers->len;
        g_autofree char *name = numbers->len > MAX_LISTED
                                    ? name_many (all, side, numbers->len, n_all)
                                    : name_few (all, side, numbers);
        names = names == NULL ? g_steal_pointer (&name) : join (names, name);
    }
    if (n_hit == all->n_runs && n_hit > 1) {
        g_free (names);
        names = g_strdup (_ ("all runs"));
    }
    return names;
}

/* After the runs */

static bool
has_others (const PvRunConditions *run)
{
    return run->others >= MIN_OTHERS;
}

static bool
is_stolen (const PvRunConditions *run)
{
    return run->stolen >= MIN_STOLEN;
}

static bool
is_throttled (const PvRunConditions *run)
{
    return run->n_throttled > 0;
}

static bool
is_on_battery (const PvRunConditions *run)
{
    return run->is_on_battery;
}

static double
get_others (const PvRunConditions *run)
{
    return run->others;
}

static double
get_stolen (const PvRunConditions *run)
{
    return run->stolen;
}

/* The largest share of all runs, in percent. */
static char *
format_most (const Runs *all, double (*get_share) (const PvRunConditions *run))
{
    double most = 0;
    for (unsigned i = 0; i < all->n_runs; i++)
        most = MAX (most, get_share (&all->runs[i]));
    return format_percent (most);
}

static void
check_others (PvCheck *check, const Runs *all)
{
    g_autofree char *names = name_hit (all, has_others);
    if (names == NULL)
        return;
    g_autofree char *percent = format_most (all, get_others);
    pv_check_add (
        check, (PvAdviceHead){PV_ADVICE_WARNING, "runs-load", _ ("Other programs were busy")},
        /* Translators: "during run 2 of ./old and runs 3 and 4 of ./new: up to 35 % of" */
        g_strdup_printf (
            _ ("Programs that were not recorded, or that the recorded one did not wait "
               "for, ran during %s: up to %s %% of the processors’ time."),
            names, percent));
}

static void
check_heat (PvCheck *check, const Runs *all)
{
    g_autofree char *names = name_hit (all, is_throttled);
    uint64_t n = 0;
    if (names == NULL)
        return;
    for (unsigned i = 0; i < all->n_runs; i++)
        n += all->runs[i].n_throttled;
    g_autofree char *times = pv_format_amount (n, PV_UNIT_COUNT);
    pv_check_add (
        check, (PvAdviceHead){PV_ADVICE_WARNING, "runs-throttled", _ ("The processor was too hot")},
        g_strdup_printf (ngettext ("It was throttled during %s: %s time.",
                                   "It was throttled during %s: %s times.", MIN (n, G_MAXUINT)),
                         names, times));
}

static char *
name_run (const Runs *all, const PvRunConditions *run)
{
    g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (unsigned));
    const unsigned number = run->round + 1;
    g_array_append_val (numbers, number);
    return name_few (all, run->side, numbers);
}

static char *
format_ghz (unsigned khz)
{
    return pv_format_decimals (khz / 1e6, 2);
}

static void
check_frequency (PvCheck *check, const Runs *all)
{
    const PvRunConditions *lowest = NULL, *highest = NULL;
    for (unsigned i = 0; i < all->n_runs; i++) {
        const PvRunConditions *run = &all->runs[i];
        if (run->mean_khz == 0)
            continue;
        lowest = lowest == NULL || run->mean_khz < lowest->mean_khz ? run : lowest;
        highest = highest == NULL || run->mean_khz > highest->mean_khz ? run : highest;
    }
    if (lowest == NULL || lowest->mean_khz > highest->mean_khz * (1 - MIN_FREQUENCY))
        return;
    g_autofree char *low = format_ghz (lowest->mean_khz);
    g_autofree char *high = format_ghz (highest->mean_khz);
    g_autofree char *low_name = name_run (all, lowest);
    g_autofree char *high_name = name_run (all, highest);
    pv_check_add (
        check,
        (PvAdviceHead){PV_ADVICE_WARNING, "runs-frequency",
                       _ ("The processor’s frequency differed")},
        /* Translators: frequencies, and "run 2 of ./old" */
        g_strdup_printf (_ ("Its fastest core had %s GHz during %s and %s GHz during %s."), low,
                         low_name, high, high_name));
}

static void
check_stolen (PvCheck *check, const Runs *all)
{
    g_autofree char *names = name_hit (all, is_stolen);
    if (names == NULL)
        return;
    g_autofree char *percent = format_most (all, get_stolen);
    pv_check_add (
        check,
        (PvAdviceHead){PV_ADVICE_WARNING, "runs-stolen", _ ("This virtual machine had to wait")},
        g_strdup_printf (_ ("Its host gave processors to others during %s: up to %s %% of their "
                            "time."),
                         names, percent));
}

static void
check_battery (PvCheck *check, const Runs *all)
{
    g_autofree char *names = name_hit (all, is_on_battery);
    if (names == NULL)
        return;
    pv_check_add (
        check,
        (PvAdviceHead){PV_ADVICE_WARNING, "runs-battery", _ ("The computer ran on its battery")},
        g_strdup_printf (_ ("Processors may be slower then and change their frequency more often: "
                            "during %s."),
                         names));
}

GPtrArray *
pv_run_conditions_check (const PvRunConditions *runs, unsigned n_runs)
{
    PvCheck check;
    GPtrArray *advice = new_advice (&check);
    const Runs all = {runs, n_runs};
    check_heat (&check, &all);
    check_others (&check, &all);
    check_frequency (&check, &all);
    check_stolen (&check, &all);
    check_battery (&check, &all);
    return advice;
}

char **
pv_run_conditions_list (const PvRunConditions *runs, unsigned n_runs)
{
    g_autoptr (GPtrArray) advice = pv_run_conditions_check (runs, n_runs);
    char **texts = g_new0 (char *, advice->len + 1);
    for (guint i = 0; i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        texts[i] = g_strdup_printf ("%s. %s", each->title, each->text);
    }
    return texts;
}
