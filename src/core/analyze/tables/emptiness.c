/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/emptiness.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/query/heap-weights.h"
#include "core/analyze/query/query-command.h"
#include "core/analyze/query/sample-filter.h"
#include "core/analyze/query/time-range.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/format.h"
#include "core/model/profile/event-names.h"

enum {
    SAMPLES_PER_CHECK = 65536,
    MOST_TREES = 4, /* of other measures that are tried where stacks are filtered */
};

#define NS_PER_MS UINT64_C (1000000)

/* So much of the time is called idle. */
#define IDLENESS 0.95

/* --- nothing was read --- */

static bool
has_measure (const PvProfile *profile, const char *const *names)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        for (size_t i = 0; names[i] != NULL; i++)
            if (strcmp (profile->measures[m].name, names[i]) == 0)
                return true;
    return false;
}

static bool
has_unit (const PvProfile *profile, PvUnit unit)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (profile->measures[m].unit == unit)
            return true;
    return false;
}

static bool
is_one_of (const PvProfile *profile, const char *const *formats)
{
    for (size_t i = 0; formats[i] != NULL; i++)
        if (pv_profile_has_format (profile, formats[i]))
            return true;
    return false;
}

/* Why a profile, whose samples are only of the time that a program runs, has none. */
static char *
explain_no_cpu_time (const PvProfile *profile)
{
    const uint64_t profiled_ns = MAX (profile->facts.profiled_ns, profile->duration_ns);
    if (profiled_ns == 0)
        return g_strdup (_ ("The program used no CPU time while it was profiled. Profile it while "
                            "it works, or for longer."));
    g_autofree char *time = pv_format_amount (profiled_ns, PV_UNIT_NS);
    /* Translators: a duration */
    return g_strdup_printf (_ ("The program used no CPU time in the %s that were profiled. Profile "
                               "it while it works, or for longer."),
                            time);
}

/* Why a file has no samples, and what to do, by what it counts. */
static char *
explain_no_samples (const PvProfile *profile)
{
    static const char *const waits[] = {"contentions", "delay", NULL};
    static const char *const cpu[] = {"cpu", NULL};
    static const char *const of_cpu[] = {"gperftools", "gperftools CPU", "Java CPU", "gprof", NULL};
    static const char *const exact[] = {"massif", "DHAT", NULL};
    if (profile->n_distributions > 0)
        return g_strdup (_ ("It has only distributions: profview --print=distributions lists "
                            "them."));
    if (profile->n_counters > 0)
        return g_strdup (_ ("It has only counters: profview --print=counters lists them."));
    if (profile->heap != NULL)
        return g_strdup (_ ("The program ended before it allocated anything, or the recorder was "
                            "not loaded into it: programs that are linked statically, or have an "
                            "allocator of their own, are not seen. Record a run that lasts "
                            "longer, and see what “ldd PROGRAM” says."));
    if (pv_profile_has_format (profile, "perf.data") && profile->facts.events != NULL &&
        strstr (profile->facts.events, "-clock") != NULL)
        return g_strdup (_ ("The program ended too soon, or waited all the time. Record for "
                            "longer, more often (perf record -F 4000), or what it waits for "
                            "(perf record --switch-events -e context-switches -c 1 -g)."));
    if (pv_profile_has_format (profile, "perf.data"))
        return g_strdup (_ ("The program ended too soon, waited all the time, or perf could not "
                            "count the event. Record for longer, more often (perf record -F 4000), "
                            "or by the clock (perf record -e cpu-clock)."));
    if (has_measure (profile, waits))
        return g_strdup (_ ("Nothing waited for a lock, or waits were not counted: in Go, "
                            "runtime.SetBlockProfileRate and runtime.SetMutexProfileFraction "
                            "switch that on."));
    bool is_counted = profile->n_sets > 0 && profile->sets[0].is_exact;
    if (is_one_of (profile, exact) || (is_counted && has_unit (profile, PV_UNIT_BYTES)))
        return g_strdup (_ ("The program ended before it allocated anything. Record a run that "
                            "lasts longer."));
    if (has_unit (profile, PV_UNIT_BYTES))
        return g_strdup (_ ("The program allocated so little that no allocation was sampled. Let "
                            "it allocate more, or sample more often."));
    if (has_measure (profile, cpu) || is_one_of (profile, of_cpu))
        return explain_no_cpu_time (profile);
    return g_strdup (_ ("Record again while the program works, or for longer."));
}

bool
pv_emptiness_has_amounts (const PvProfile *profile)
{
    g_assert (profile != NULL);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (profile->measures[m].total > 0)
            return true;
    return false;
}

/* Marks tell something without stacks. */
static bool
has_stacks_or_marks (const PvProfile *profile)
{
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        if (profile->sets[s].fields != NULL && profile->sets[s].n_samples > 0)
            return true;
        for (uint32_t i = 0; i < profile->sets[s].n_samples; i++)
            if (profile->sets[s].stack[i] != 0)
                return true;
    }
    return profile->heap != NULL;
}

static const char *
explain_no_stacks (const PvProfile *profile)
{
    if (pv_profile_has_format (profile, "perf.data"))
        return _ ("So there are no functions to show. Record again with call stacks: perf record "
                  "-g.");
    if (pv_profile_has_format (profile, "jemalloc heap"))
        return _ ("So there are no functions to show: jemalloc could not walk the stacks. Build it "
                  "with --enable-prof-libunwind.");
    if (pv_profile_has_format (profile, "Firefox Profiler"))
        return _ ("Either the threads had no work, or stacks were not recorded. Profile the "
                  "program while it works, with stacks of native code.");
    return _ ("So there are no functions to show. Record again with call stacks.");
}

/* True if nothing was read; then a title, and a reason with what to do. */
static bool
describe_file (const PvProfile *profile, char **ret_title, char **ret_reason)
{
    const uint64_t n_samples =
        profile->heap != NULL ? profile->heap->n_sites : pv_profile_count_all_samples (profile);
    if (n_samples == 0) {
        *ret_title = g_strdup (profile->heap != NULL ? _ ("The recording contains no allocations")
                               : pv_profile_has_format (profile, "perf.data")
                                   ? _ ("The recording contains no samples")
                                   : _ ("The profile contains no samples"));
        *ret_reason = explain_no_samples (profile);
        return true;
    }
    if (!pv_emptiness_has_amounts (profile)) {
        g_autofree char *count = pv_format_count (n_samples);
        *ret_title = g_strdup (_ ("All amounts are 0"));
        /* Translators: a number of samples */
        *ret_reason =
            g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                          "The profile has %s sample, which counts nothing. "
                                          "Record again while the program works, or for longer.",
                                          "The profile has %s samples, which count nothing. "
                                          "Record again while the program works, or for longer.",
                                          n_samples),
                             count);
        return true;
    }
    if (!has_stacks_or_marks (profile)) {
        *ret_title = g_strdup (_ ("No sample has a stack"));
        *ret_reason = g_strdup (explain_no_stacks (profile));
        return true;
    }
    return false;
}

/* --- the program did nothing --- */

/* True if the outermost function of a stack is the kernel's idle loop, or what stands for it. */
static bool
is_idle_root (const PvProfile *profile, const PvSymbolTable *symbols, PvStackId root)
{
    static const char *const names[] = {"swapper", "swapper/", "[idle]", "(idle)"};
    uint32_t n_frames;
    const PvFrame *frames =
        pv_symbol_table_frames (symbols, profile->location_of_stack[root], &n_frames);
    const char *name = n_frames > 0 ? symbols->functions[frames[n_frames - 1].function].name : "";
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (strcmp (name, names[i]) == 0 ||
            (g_str_has_suffix (names[i], "/") && g_str_has_prefix (name, names[i])))
            return true;
    return false;
}

/* By stack: its outermost function is idle. Parents come first. g_free () it. */
static bool *
find_idle_stacks (const PvProfile *profile, const PvSymbolTable *symbols)
{
    bool *are_idle = g_new0 (bool, MAX (profile->n_stacks, 1));
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        PvStackId parent = profile->parent_of_stack[s];
        are_idle[s] = parent != 0 ? are_idle[parent] : is_idle_root (profile, symbols, s);
    }
    return are_idle;
}

/* The category that Firefox gives to samples of threads that wait for events. */
static bool
has_idle_label (const PvProfile *profile, const PvSampleSet *set, uint32_t sample)
{
    const uint32_t labels = set->label_set != NULL ? set->label_set[sample] : 0;
    for (uint32_t l = profile->first_label_of_set[labels];
         l < profile->first_label_of_set[labels + 1]; l++)
        if (strcmp (profile->labels[l].key, "category") == 0 &&
            g_strcmp0 (profile->labels[l].text, "Idle") == 0)
            return true;
    return false;
}

/* A thread that waits for work, as the thread or a label tells: the kernel's idle threads, or what
 * stands for them. */
static bool
is_idle (const PvProfile *profile, const PvSampleSet *set, uint32_t sample)
{
    const PvThread *thread = &profile->threads[pv_sample_set_thread (set, sample)];
    const PvProcess *process = &profile->processes[thread->process];
    const char *name = thread->name != NULL ? thread->name : process->name;
    if ((process->pid == 0 || thread->tid == 0) && name != NULL &&
        g_str_has_prefix (name, "swapper"))
        return true;
    return profile->n_label_sets > 0 && has_idle_label (profile, set, sample);
}

/* True if all samples of the measure that is shown first are of threads without work. */
static bool
are_all_idle (const PvProfile *profile, const PvSymbolTable *symbols)
{
    const PvSampleSet *set =
        profile->n_measures > 0 ? pv_profile_get_measure_set (profile, 0) : NULL;
    if (set == NULL || set->n_samples == 0 || profile->n_threads == 0)
        return false;
    g_autofree bool *are_idle = NULL; /* stacks, once they are asked for */
    for (uint32_t i = 0; i < set->n_samples; i++) {
        if (is_idle (profile, set, i))
            continue;
        if (set->stack[i] == 0)
            return false;
        are_idle = are_idle != NULL ? are_idle : find_idle_stacks (profile, symbols);
        if (!are_idle[set->stack[i]])
            return false;
    }
    return true;
}

static uint64_t
get_total (const PvProfile *profile, const char *name)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (strcmp (profile->measures[m].name, name) == 0)
            return profile->measures[m].total;
    return 0;
}

static char *
describe_idleness (const PvProfile *profile, const PvSymbolTable *symbols)
{
    static const char *const of_v8[] = {"V8", "Chrome trace", NULL};
    static const char *const of_processors[] = {"perf.data", "perf script", NULL};
    const uint64_t idle_ns = get_total (profile, "idle"), busy_ns = get_total (profile, "time");
    const bool has_idle_time = is_one_of (profile, of_v8) && idle_ns > 0;
    g_autofree char *idle = pv_format_amount (idle_ns, PV_UNIT_NS);
    g_autofree char *all = pv_format_amount (idle_ns + busy_ns, PV_UNIT_NS);
    if (has_idle_time && busy_ns == 0)
        /* Translators: a duration */
        return g_strdup_printf (_ ("The program was idle all the time, %s: it waited for events, "
                                   "and used no CPU time. Profile it while it works."),
                                all);
    if (has_idle_time && (double)idle_ns >= IDLENESS * (double)(idle_ns + busy_ns))
        /* Translators: durations */
        return g_strdup_printf (_ ("The program was idle for %s of %s: it waited for events, and "
                                   "used no CPU time meanwhile. Profile it while it works."),
                                idle, all);
    if (!are_all_idle (profile, symbols))
        return NULL;
    if (is_one_of (profile, of_processors))
        return g_strdup (_ ("The processors were idle: all samples are of the kernel's idle "
                            "threads. Record while the program works."));
    return g_strdup (_ ("The program was idle: it waited for work in all samples. Profile it while "
                        "it works."));
}

/* --- notes --- */

static const PvNote *
find_note (const PvNote *notes, uint32_t n_notes)
{
    for (uint32_t i = 0; i < n_notes; i++)
        if (notes[i].kind == PV_NOTE_NOTHING || notes[i].kind == PV_NOTE_IDLE)
            return &notes[i];
    return NULL;
}

const PvNote *
pv_emptiness_find_note (const PvProfile *profile, const PvSymbolTable *symbols)
{
    g_assert (profile != NULL && symbols != NULL);
    const PvNote *note = find_note (profile->notes, profile->n_notes);
    return note != NULL ? note : find_note (symbols->notes, symbols->n_notes);
}

static void
add_note (PvSymbolTable *symbols, PvNoteSeverity severity, PvNoteKind kind, const char *text)
{
    const PvNote note = {severity, kind, 0, text};
    pv_symbol_table_add_note (symbols, &note);
}

void
pv_emptiness_note (const PvProfile *profile, PvSymbolTable *symbols)
{
    g_assert (profile != NULL && symbols != NULL);
    g_autofree char *title = NULL;
    g_autofree char *reason = NULL;
    if (pv_emptiness_find_note (profile, symbols) != NULL ||
        profile->n_distributions + profile->n_counters > 0 || pv_profile_has_sums (profile))
        return;
    if (describe_file (profile, &title, &reason)) {
        g_autofree char *text = g_strdup_printf ("%s. %s", title, reason);
        add_note (symbols, PV_NOTE_WARNING, PV_NOTE_NOTHING, text);
        return;
    }
    g_autofree char *idleness = describe_idleness (profile, symbols);
    if (idleness != NULL)
        add_note (symbols, PV_NOTE_INFO, PV_NOTE_IDLE, idleness);
}

/* --- nothing is kept --- */

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvQuery *query;
    PvJob *job;
} Search;

static bool
has_range (const PvQuery *query)
{
    return query->start_ns > 0 || query->end_ns < UINT64_MAX;
}

/* The amount of all samples that a query chooses, whatever it does to stacks. ret_n_threads, which
 * may be NULL: of so many threads. */
static uint64_t
weigh_samples (const Search *search, const PvQuery *query, uint32_t *ret_n_threads)
{
    const PvProfile *profile = search->profile;
    uint64_t sum = 0;
    if (profile->heap != NULL) {
        g_free (pv_heap_weigh_query (profile, query, NULL, &sum, search->job));
        return sum;
    }
    g_autoptr (GHashTable) threads = g_hash_table_new (NULL, NULL);
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, profile);
    for (uint32_t i = filter.first; i < filter.last; i++) {
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (search->job))
            break;
        const uint64_t weight = pv_sample_filter_weigh (&filter, i, sum);
        sum += weight;
        if (weight > 0 && ret_n_threads != NULL) {
            const PvThread *thread = &profile->threads[pv_sample_set_thread (filter.set, i)];
            g_hash_table_add (threads, GINT_TO_POINTER (thread->tid));
        }
    }
    pv_sample_filter_clear (&filter);
    if (ret_n_threads != NULL)
        *ret_n_threads = g_hash_table_size (threads);
    return sum;
}

/* The amount that a query keeps. */
static uint64_t
weigh (const Search *search, const PvQuery *query)
{
    uint64_t sum = weigh_samples (search, query, NULL);
    if (sum == 0 || (query->n_transforms == 0 && search->profile->heap == NULL))
        return sum;
    g_autoptr (PvCallTree) tree = pv_call_tree_build_stacks (search->profile, search->symbols,
                                                             query, NULL, search->job, NULL);
    return tree != NULL ? tree->total[0] : 0;
}

/* The query without what the user filters. */
static void
copy_unfiltered (const Search *search, bool keeps_range, PvQuery *ret_query)
{
    const PvQuery *query = search->query;
    pv_query_init (ret_query);
    pv_query_set_defaults (ret_query, search->profile);
    ret_query->measure = query->measure;
    ret_query->start_ns = keeps_range ? query->start_ns : 0;
    ret_query->end_ns = keeps_range ? query->end_ns : UINT64_MAX;
    ret_query->suppressions =
        query->suppressions != NULL ? pv_suppressions_ref (query->suppressions) : NULL;
    ret_query->no_default_suppressions = query->no_default_suppressions;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        ret_query->factor_of_side[side] = query->factor_of_side[side];
}

static bool
has_filters (const Search *search)
{
    const PvQuery *query = search->query;
    PvQuery defaults;
    copy_unfiltered (search, true, &defaults);
    bool is_more = query->n_labels > 0 || query->n_transforms > defaults.n_transforms;
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++)
        is_more |= pv_query_has_origin (query, origin);
    pv_query_clear (&defaults);
    return is_more;
}

/* Finds which filters leave everything out: either alone, or both together. */
static void
find_filters (const Search *search, PvEmptiness *emptiness)
{
    const bool is_part = has_range (search->query), is_filtered = has_filters (search);
    PvQuery other;
    if (is_part) {
        pv_query_copy (&other, search->query);
        other.start_ns = 0;
        other.end_ns = UINT64_MAX;
        emptiness->has_range = weigh (search, &other) > 0;
        pv_query_clear (&other);
    }
    if (is_filtered) {
        copy_unfiltered (search, true, &other);
        emptiness->has_filters = weigh (search, &other) > 0;
        pv_query_clear (&other);
    }
    if (!emptiness->has_range && !emptiness->has_filters && is_part && is_filtered) {
        copy_unfiltered (search, false, &other);
        emptiness->needs_both = weigh (search, &other) > 0;
        emptiness->has_range = emptiness->has_filters = emptiness->needs_both;
        pv_query_clear (&other);
    }
}

/* How much a measure could say of what another one lacks: 0: nothing. Waits are why a thread does
 * not run. */
static unsigned
rank_other (const PvProfile *profile, PvMeasureId measure, PvMeasureId other)
{
    const PvMeasure *row = &profile->measures[other];
    if (other == measure || row->part > PV_PART_BOTH || row->is_delay)
        return 0;
    if (!pv_profile_counts_waits (profile, other))
        return 1;
    return strcmp (row->name, "blocked") == 0 ? 3 : 2;
}

static void
find_other (const Search *search, PvEmptiness *emptiness)
{
    const PvProfile *profile = search->profile;
    unsigned n_trees = 0;
    PvQuery query;
    pv_query_copy (&query, search->query);
    for (unsigned rank = 3; rank > 0 && emptiness->measure == UINT32_MAX; rank--) {
        for (PvMeasureId m = 0; m < profile->n_measures && n_trees < MOST_TREES; m++) {
            if (rank_other (profile, search->query->measure, m) != rank)
                continue;
            query.measure = m;
            n_trees += query.n_transforms > 0;
            emptiness->amount = weigh (search, &query);
            if (emptiness->amount == 0)
                continue;
            emptiness->measure = m;
            break;
        }
    }
    pv_query_clear (&query);
}

/* Other languages have their own rules for capital letters within a sentence. */
static bool
is_english (void)
{
    static const char text[] = "No %s";
    return g_dgettext (GETTEXT_PACKAGE, text) == text;
}

/* "cpu time" would be wrong, but "time blocked" is in the middle of a sentence. What is counted of
 * a heap has titles that are no things: "leaked". */
static char *
name_measure (const PvProfile *profile, PvMeasureId measure)
{
    const PvHeapMeasure heap = pv_measure_find_heap (profile, measure);
    if (heap == PV_HEAP_TEMPORARY)
        return g_strdup (_ ("temporary allocations"));
    if (heap == PV_HEAP_LEAKED)
        return g_strdup (_ ("leaked memory"));
    if (heap != PV_HEAP_NONE && heap != PV_HEAP_ALLOCATIONS)
        return g_strdup (C_ ("measure", "memory"));
    char *name = g_strdup (pv_measure_get_title (profile, measure));
    if (is_english () && g_ascii_isupper (name[0]) && g_ascii_islower (name[1]))
        name[0] = g_ascii_tolower (name[0]);
    return name;
}

/* As chips have it; exactly where both ends would be the same in that. */
static char *
format_range (const PvQuery *query)
{
    const uint64_t step_ns = query->end_ns < 1000 * NS_PER_MS ? NS_PER_MS : 10 * NS_PER_MS;
    if (query->end_ns == UINT64_MAX)
        return pv_format_moment (query->start_ns);
    return query->end_ns - query->start_ns < 2 * step_ns
               ? pv_time_range_format (query->start_ns, query->end_ns)
               : pv_format_time_range (query->start_ns, query->end_ns, query->end_ns);
}

/* Where there is nothing: in a part of the profile. */
static char *
make_title_of_range (const PvProfile *profile, const PvQuery *query, const char *name)
{
    g_autofree char *range = format_range (query);
    if (profile->n_dumps > 0)
        /* Translators: a measure: “No CPU time in these dumps” */
        return g_strdup_printf (_ ("No %s in these dumps"), name);
    if (query->end_ns == UINT64_MAX)
        /* Translators: a measure and a time: “No CPU time after 3.45 s” */
        return g_strdup_printf (_ ("No %s after %s"), name, range);
    if (query->start_ns == 0)
        /* Translators: a measure, and “until 3.45 s” */
        return g_strdup_printf (_ ("No %s %s"), name, range);
    /* Translators: a measure and a range of time: “No CPU time in 3.45–4.09 s” */
    return g_strdup_printf (_ ("No %s in %s"), name, range);
}

static char *
make_title (const Search *search, const PvEmptiness *emptiness)
{
    const PvProfile *profile = search->profile;
    const PvQuery *query = search->query;
    const bool is_filtered = emptiness->has_filters && !emptiness->needs_both;
    if (!pv_profile_has_weights (profile, query->measure))
        return g_strdup (_ ("Nothing was measured"));
    g_autofree char *name = name_measure (profile, query->measure);
    g_autofree char *title = NULL;
    if (has_range (query))
        title = make_title_of_range (profile, query, name);
    else if (is_filtered)
        /* Translators: a measure: “No CPU time” */
        title = g_strdup_printf (_ ("No %s"), name);
    else if (pv_measure_find_heap (profile, query->measure) == PV_HEAP_LEAKED)
        title = g_strdup (_ ("Nothing is leaked"));
    else
        title = g_strdup_printf (_ ("No %s in this profile"), name);
    if (!is_filtered)
        return g_steal_pointer (&title);
    /* Translators: “No CPU time in 3.45–4.09 s”, where there is some without the filters */
    return g_strdup_printf (_ ("%s with these filters"), title);
}

static void
add_sentence (GString *text, char *sentence)
{
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
    g_free (sentence);
}

/* Tells how much there is of the other measure. */
static void
tell_other (const Search *search, const PvEmptiness *emptiness, GString *text)
{
    const PvProfile *profile = search->profile;
    PvQuery query;
    uint32_t n_threads = 0;
    if (emptiness->measure == UINT32_MAX)
        return;
    const PvUnit unit = profile->measures[emptiness->measure].unit;
    g_autofree char *amount = pv_format_amount (emptiness->amount, unit);
    if (pv_profile_counts_waits (profile, emptiness->measure) && unit == PV_UNIT_NS) {
        pv_query_copy (&query, search->query);
        query.measure = emptiness->measure;
        weigh_samples (search, &query, &n_threads);
        pv_query_clear (&query);
        /* Translators: a number of threads, and a duration, added up over all of them */
        add_sentence (text, g_strdup_printf (
                                g_dngettext (GETTEXT_PACKAGE, "%u thread was waiting, for %s.",
                                             "%u threads were waiting, for %s in all.", n_threads),
                                n_threads, amount));
        return;
    }
    /* Translators: a measure and its amount: “Page faults” has 12. */
    add_sentence (text,
                  g_strdup_printf (_ ("“%s” has %s."),
                                   pv_measure_get_title (profile, emptiness->measure), amount));
}

static char *
make_reason (const Search *search, const PvEmptiness *emptiness)
{
    const PvProfile *profile = search->profile;
    const PvQuery *query = search->query;
    g_autoptr (GString) text = g_string_new (NULL);
    const uint64_t chosen =
        pv_profile_has_weights (profile, query->measure) ? weigh_samples (search, query, NULL) : 0;
    if (has_range (query) && query->start_ns > profile->duration_ns && profile->n_dumps == 0) {
        g_autofree char *end = pv_format_amount (profile->duration_ns, PV_UNIT_NS);
        add_sentence (text, g_strdup_printf (_ ("The recording ends after %s."), end));
    }
    if (chosen > 0 && emptiness->has_filters) {
        g_autofree char *amount = pv_format_amount (chosen, profile->measures[query->measure].unit);
        add_sentence (text, g_strdup_printf (_ ("The filters leave out all of it: %s."), amount));
    } else if (chosen > 0 && pv_measure_find_heap (profile, query->measure) == PV_HEAP_LEAKED) {
        g_autofree char *amount = pv_format_amount (chosen, PV_UNIT_BYTES);
        add_sentence (text,
                      g_strdup_printf (_ ("Known leaks, which do not count, have %s."), amount));
    }
    tell_other (search, emptiness, text);
    return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* False: the query keeps something. */
static bool
describe_query (const Search *search, PvEmptiness *emptiness)
{
    if (pv_profile_has_weights (search->profile, search->query->measure)) {
        if (weigh (search, search->query) > 0)
            return false;
        find_filters (search, emptiness);
        find_other (search, emptiness);
    }
    emptiness->title = make_title (search, emptiness);
    emptiness->reason = make_reason (search, emptiness);
    return true;
}

/* Describes a file that was read to nothing, of which its reader may know more. */
static bool
describe_nothing (const PvProfile *profile, PvEmptiness *emptiness)
{
    const PvNote *note = find_note (profile->notes, profile->n_notes);
    if (!describe_file (profile, &emptiness->title, &emptiness->reason))
        return false;
    if (note != NULL && note->kind == PV_NOTE_NOTHING) {
        g_free (emptiness->title);
        g_free (emptiness->reason);
        emptiness->title = g_strdup (_ ("There is nothing to show"));
        emptiness->reason = g_strdup (note->text);
    }
    emptiness->is_of_file = true;
    return true;
}

PvEmptiness *
pv_emptiness_find (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                   PvJob *job)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    g_autoptr (PvEmptiness) emptiness = g_new0 (PvEmptiness, 1);
    PvQuery active;
    emptiness->measure = UINT32_MAX;
    pv_query_copy_active (&active, query);
    active.is_inverted = false;
    const bool is_empty = describe_nothing (profile, emptiness) ||
                          describe_query (&(Search){profile, symbols, &active, job}, emptiness);
    pv_query_clear (&active);
    return is_empty && !pv_job_is_cancelled (job) ? g_steal_pointer (&emptiness) : NULL;
}

void
pv_emptiness_free (PvEmptiness *emptiness)
{
    if (emptiness == NULL)
        return;
    g_free (emptiness->title);
    g_free (emptiness->reason);
    g_free (emptiness);
}

char *
pv_emptiness_format (const PvEmptiness *emptiness, const PvProfile *profile)
{
    g_assert (emptiness != NULL && profile != NULL);
    GString *text = g_string_new (NULL);
    add_sentence (text, g_strconcat (emptiness->title, ".", NULL));
    if (emptiness->reason != NULL)
        add_sentence (text, g_strdup (emptiness->reason));
    if (emptiness->measure != UINT32_MAX) {
        g_autoptr (GString) option = g_string_new (NULL);
        pv_command_append (option, "--measure=", profile->measures[emptiness->measure].name);
        /* Translators: an option of the command line */
        add_sentence (text, g_strdup_printf (_ ("Show that with %s."), g_strchug (option->str)));
    }
    if (emptiness->needs_both)
        add_sentence (text, g_strdup (_ ("Leave out --time and the other filters.")));
    else if (emptiness->has_range && emptiness->has_filters)
        add_sentence (text, g_strdup (_ ("Leave out --time, or the other filters.")));
    else if (emptiness->has_range)
        add_sentence (text, g_strdup (_ ("Leave out --time.")));
    else if (emptiness->has_filters)
        add_sentence (text, g_strdup (_ ("Leave out the filters.")));
    return g_string_free (text, FALSE);
}
