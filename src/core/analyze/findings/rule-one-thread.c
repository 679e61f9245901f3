/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stretches of time in which a program that has several busy threads uses only one of them. Time is
 * cut into bins; a bin is of one thread if that has nearly all samples in it.
 */
#include <glib/gi18n-lib.h>

#include "core/analyze/findings/finding-weights.h"
#include "core/analyze/findings/rules.h"

enum {
    N_BINS = 200,
    MIN_SAMPLES = 8, /* in a bin: fewer do not tell how many threads work */
    MIN_THREADS = 3,
    MAX_THREADS = 64,
    MIN_BINS_IN_RUN = 6,
    MIN_BINS_OF_ALL = 20,
    MIN_BINS_OF_MANY = 20,
};

#define LEAST_OF_THREAD  0.02 /* of the process: a thread with less is no worker */
#define LEAST_OF_PROCESS 0.8  /* of all: else many programs were recorded */
#define NEARLY_ALL       0.95

typedef struct {
    uint64_t weight;
    uint32_t n_samples;
    uint64_t of_thread[MAX_THREADS];
} Bin;

typedef struct {
    const PvFindingContext *context;
    PvFindingWeights weights;
    uint64_t start_ns, bin_ns;
    uint64_t *weight_of_tid; /* by thread row */
    PvThreadId threads[MAX_THREADS];
    uint8_t *place_of_thread; /* in threads, + 1; 0: no worker, or of another process */
    unsigned n_threads;
    Bin bins[N_BINS];
} Search;

static int
compare_weight (const void *a, const void *b, void *data)
{
    const uint64_t *weights = data;
    const PvThreadId x = *(const PvThreadId *)a, y = *(const PvThreadId *)b;
    return weights[x] != weights[y] ? pv_order (weights[y], weights[x]) : pv_order (x, y);
}

/* The heaviest process; rows of one number are one. */
static int32_t
find_pid (const Search *self, uint64_t *ret_weight)
{
    const PvProfile *profile = self->context->profile;
    g_autoptr (GHashTable) sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    int32_t best = -1;
    *ret_weight = 0;
    for (PvThreadId t = 1; t < profile->n_threads; t++) {
        const int32_t pid = profile->processes[profile->threads[t].process].pid;
        uint64_t *sum = g_hash_table_lookup (sums, GINT_TO_POINTER (pid));
        if (sum == NULL)
            g_hash_table_insert (sums, GINT_TO_POINTER (pid), sum = g_new0 (uint64_t, 1));
        *sum += self->weight_of_tid[t];
        if (*sum > *ret_weight) {
            *ret_weight = *sum;
            best = pid;
        }
    }
    return best;
}

static void
find_threads (Search *self)
{
    const PvProfile *profile = self->context->profile;
    uint64_t whole;
    const int32_t pid = find_pid (self, &whole);
    g_autofree PvThreadId *sorted = g_new (PvThreadId, MAX (profile->n_threads, 1));
    unsigned n = 0;
    if ((double)whole < LEAST_OF_PROCESS * (double)self->weights.total)
        return;
    for (PvThreadId t = 1; t < profile->n_threads; t++)
        if (profile->processes[profile->threads[t].process].pid == pid &&
            (double)self->weight_of_tid[t] >= LEAST_OF_THREAD * (double)whole)
            sorted[n++] = t;
    g_qsort_with_data (sorted, (gint)n, sizeof *sorted, compare_weight, self->weight_of_tid);
    self->n_threads = MIN (n, MAX_THREADS);
    for (unsigned i = 0; i < self->n_threads; i++) {
        self->threads[i] = sorted[i];
        self->place_of_thread[sorted[i]] = (uint8_t)(i + 1);
    }
}

static bool
visit (Search *self, bool is_in_bins)
{
    const PvSampleSet *set = self->weights.filter.set;
    uint64_t so_far = 0;
    for (uint32_t i = self->weights.filter.first; i < self->weights.filter.last; i++) {
        const uint64_t weight = pv_finding_weights_get (&self->weights, i, so_far);
        const PvThreadId thread = pv_sample_set_thread (set, i);
        const uint64_t time_ns = pv_sample_set_time_ns (set, i);
        so_far += weight;
        if (weight == 0 || time_ns < self->start_ns)
            continue;
        if (!is_in_bins) {
            self->weight_of_tid[thread] += weight;
            continue;
        }
        Bin *bin = &self->bins[MIN ((time_ns - self->start_ns) / self->bin_ns, N_BINS - 1)];
        bin->weight += weight;
        bin->n_samples++;
        if (self->place_of_thread[thread] != 0)
            bin->of_thread[self->place_of_thread[thread] - 1] += weight;
    }
    return !pv_job_is_cancelled (self->context->job);
}

/* The place of the thread that has nearly all of the bin, + 1; 0: none has, or too little is known.
 */
static unsigned
find_only (const Search *self, const Bin *bin)
{
    for (unsigned t = 0; t < self->n_threads && bin->n_samples >= MIN_SAMPLES; t++)
        if ((double)bin->of_thread[t] >= NEARLY_ALL * (double)bin->weight)
            return t + 1;
    return 0;
}

static bool
has_many (const Search *self, const Bin *bin)
{
    unsigned n = 0;
    for (unsigned t = 0; t < self->n_threads; t++)
        n += (double)bin->of_thread[t] >= 0.1 * (double)bin->weight && bin->of_thread[t] > 0;
    return n >= MIN_THREADS;
}

typedef struct {
    unsigned first, n_bins; /* the longest run */
    unsigned n_of_all, n_of_many;
    uint64_t amount;
} Stretches;

/* Stretches of the thread that is alone most often. */
static unsigned
find_stretches (const Search *self, Stretches *ret)
{
    unsigned only[N_BINS], n_of_thread[MAX_THREADS + 1] = {0}, best = 0, run = 0;
    *ret = (Stretches){0};
    for (unsigned b = 0; b < N_BINS; b++) {
        only[b] = find_only (self, &self->bins[b]);
        n_of_thread[only[b]]++;
        ret->n_of_many += has_many (self, &self->bins[b]);
    }
    for (unsigned t = 1; t <= self->n_threads; t++)
        if (best == 0 || n_of_thread[t] > n_of_thread[best])
            best = t;
    for (unsigned b = 0; b < N_BINS && best != 0; b++) {
        run = only[b] == best ? run + 1 : 0;
        if (run == 0)
            continue;
        ret->n_of_all++;
        ret->amount += self->bins[b].weight;
        if (run > ret->n_bins) {
            ret->n_bins = run;
            ret->first = b + 1 - run;
        }
    }
    return best;
}

static void
add (const Search *self, unsigned thread, const Stretches *stretches, PvFindingList *list)
{
    const PvFindingContext *context = self->context;
    const PvProfile *profile = context->profile;
    const unsigned n_others = self->n_threads - 1;
    g_autofree char *name = pv_format_thread (profile, self->threads[thread - 1]);
    g_autofree char *alone = pv_format_amount (stretches->n_of_all * self->bin_ns, PV_UNIT_NS);
    g_autofree char *all = pv_format_amount (N_BINS * self->bin_ns, PV_UNIT_NS);
    g_autofree char *longest = pv_format_amount (stretches->n_bins * self->bin_ns, PV_UNIT_NS);
    const uint64_t offset_ns = self->start_ns - profile->start_ns;
    const double first_s = (double)(offset_ns + stretches->first * self->bin_ns) / 1e9;
    const double end_s = first_s + (double)(stretches->n_bins * self->bin_ns) / 1e9;
    char first_text[G_ASCII_DTOSTR_BUF_SIZE], end_text[G_ASCII_DTOSTR_BUF_SIZE];
    PvFinding finding = {
        .rule = pv_rule_one_thread.word,
        /* Translators: a thread, a time, another one that it is a part of, a number, a time. */
        .title = g_strdup_printf (
            ngettext ("Only %s works in %s of %s, while %u other thread that works at other times "
                      "does nothing; the longest stretch is %s",
                      "Only %s works in %s of %s, while %u other threads that work at other times "
                      "do nothing; the longest stretch is %s",
                      n_others),
            name, alone, all, n_others, longest),
        .detail = g_strdup (_ ("The Timeline shows what that thread does in the meantime: "
                               "part of it may be left to the others.")),
        .measure = context->cpu_measure,
        .amount = MIN (stretches->amount, self->weights.total),
        .page = PV_FINDING_TIMELINE,
        .options = g_new0 (char *, 2),
    };
    g_ascii_formatd (first_text, sizeof first_text, "%.6f", first_s);
    g_ascii_formatd (end_text, sizeof end_text, "%.6f", end_s);
    finding.options[0] = g_strdup_printf ("--time=%s..%s", first_text, end_text);
    pv_finding_weights_judge (&self->weights, &finding);
    pv_array_push (list, finding);
}

static void
find_in (Search *self, PvFindingList *list)
{
    const PvFindingContext *context = self->context;
    const PvProfile *profile = context->profile;
    const uint64_t end_ns = MIN (context->query->end_ns, profile->duration_ns);
    Stretches stretches;
    if (context->query->start_ns >= end_ns || end_ns - context->query->start_ns < N_BINS)
        return;
    self->start_ns = profile->start_ns + context->query->start_ns;
    self->bin_ns = (end_ns - context->query->start_ns) / N_BINS;
    if (!visit (self, false))
        return;
    find_threads (self);
    if (self->n_threads < MIN_THREADS || !visit (self, true))
        return;
    const unsigned thread = find_stretches (self, &stretches);
    if (thread != 0 && stretches.n_bins >= MIN_BINS_IN_RUN &&
        stretches.n_of_all >= MIN_BINS_OF_ALL && stretches.n_of_many >= MIN_BINS_OF_MANY)
        add (self, thread, &stretches, list);
}

static void
find_one_thread (const PvFindingContext *context, PvFindingList *list)
{
    const PvProfile *profile = context->profile;
    if (context->cpu_measure == UINT32_MAX || profile->n_dumps > 0 || profile->duration_ns == 0 ||
        pv_profile_has_sums (profile))
        return;
    Search *self = g_new0 (Search, 1);
    self->context = context;
    if (pv_finding_weights_init (&self->weights, context, context->cpu_measure) &&
        self->weights.has_rows_of_samples) {
        self->weight_of_tid = g_new0 (uint64_t, MAX (profile->n_threads, 1));
        self->place_of_thread = g_new0 (uint8_t, MAX (profile->n_threads, 1));
        find_in (self, list);
    }
    pv_finding_weights_clear (&self->weights);
    g_free (self->weight_of_tid);
    g_free (self->place_of_thread);
    g_free (self);
}

const PvFindingRule pv_rule_one_thread = {
    .word = "one-thread",
    .find = find_one_thread,
};
