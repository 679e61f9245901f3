/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/suspects.h"

#include <math.h>
#include <string.h>

/* A chance below which a commit is not worth a measurement. */
#define WORTH 0.001
/* The least chance of a commit that counts, of that of the likeliest one. */
#define COUNTING 0.05

struct PvSuspects {
    uint32_t n;
    size_t n_words;       /* of a row */
    uint64_t *contained;  /* by commit, a row of bits: of the commits that it contains */
    double *log_chances;  /* by commit, of any sum */
    double *chances;      /* by commit */
    bool *is_unavailable; /* by commit: measured, or cannot be */
};

static uint64_t *
get_row (const PvSuspects *suspects, uint32_t commit)
{
    return suspects->contained + commit * suspects->n_words;
}

static void
add_bit (PvSuspects *suspects, uint32_t commit, uint32_t other)
{
    get_row (suspects, commit)[other / 64] |= UINT64_C (1) << (other % 64);
}

PvSuspects *
pv_suspects_new (uint32_t n)
{
    g_assert (n > 0 && n <= PV_SUSPECTS_MAX);
    PvSuspects *suspects = g_new0 (PvSuspects, 1);
    suspects->n = n;
    suspects->n_words = (n + 63) / 64;
    suspects->contained = g_new0 (uint64_t, n * suspects->n_words);
    suspects->log_chances = g_new0 (double, n);
    suspects->chances = g_new (double, n);
    suspects->is_unavailable = g_new0 (bool, n);
    for (uint32_t i = 0; i < n; i++) {
        add_bit (suspects, i, i);
        add_bit (suspects, n - 1, i);
        suspects->chances[i] = 1.0 / n;
    }
    return suspects;
}

void
pv_suspects_free (PvSuspects *suspects)
{
    if (suspects == NULL)
        return;
    g_free (suspects->contained);
    g_free (suspects->log_chances);
    g_free (suspects->chances);
    g_free (suspects->is_unavailable);
    g_free (suspects);
}

void
pv_suspects_add_parent (PvSuspects *suspects, uint32_t commit, uint32_t parent)
{
    g_assert (parent < commit && commit < suspects->n);
    uint64_t *row = get_row (suspects, commit);
    const uint64_t *more = get_row (suspects, parent);
    for (size_t i = 0; i < suspects->n_words; i++)
        row[i] |= more[i];
}

bool
pv_suspects_contains (const PvSuspects *suspects, uint32_t commit, uint32_t other)
{
    g_assert (commit < suspects->n && other < suspects->n);
    return (get_row (suspects, commit)[other / 64] >> (other % 64) & 1) != 0;
}

void
pv_suspects_add_evidence (PvSuspects *suspects, uint32_t commit, double evidence)
{
    g_assert (commit < suspects->n && isfinite (evidence));
    double highest = -INFINITY, sum = 0;
    suspects->is_unavailable[commit] = true;
    for (uint32_t i = 0; i < suspects->n; i++) {
        if (pv_suspects_contains (suspects, commit, i))
            suspects->log_chances[i] += evidence;
        highest = MAX (highest, suspects->log_chances[i]);
    }
    for (uint32_t i = 0; i < suspects->n; i++) {
        suspects->chances[i] = exp (suspects->log_chances[i] - highest);
        sum += suspects->chances[i];
    }
    for (uint32_t i = 0; i < suspects->n; i++)
        suspects->chances[i] /= sum;
}

void
pv_suspects_forget (PvSuspects *suspects)
{
    for (uint32_t i = 0; i < suspects->n; i++) {
        suspects->log_chances[i] = 0;
        suspects->chances[i] = 1.0 / suspects->n;
    }
}

void
pv_suspects_skip (PvSuspects *suspects, uint32_t commit)
{
    g_assert (commit < suspects->n);
    suspects->is_unavailable[commit] = true;
}

double
pv_suspects_get_chance (const PvSuspects *suspects, uint32_t commit)
{
    g_assert (commit < suspects->n);
    return suspects->chances[commit];
}

double
pv_suspects_get_chance_within (const PvSuspects *suspects, uint32_t commit)
{
    double sum = 0;
    for (uint32_t i = 0; i <= commit; i++)
        if (pv_suspects_contains (suspects, commit, i))
            sum += suspects->chances[i];
    return sum;
}

bool
pv_suspects_choose (const PvSuspects *suspects, uint32_t *ret_commit)
{
    double best = WORTH;
    bool is_found = false;
    for (uint32_t i = 0; i < suspects->n; i++) {
        if (suspects->is_unavailable[i])
            continue;
        double within = pv_suspects_get_chance_within (suspects, i);
        double smaller = MIN (within, 1 - within);
        if (smaller <= best)
            continue;
        best = smaller;
        *ret_commit = i;
        is_found = true;
    }
    return is_found;
}

uint32_t
pv_suspects_count_likely (const PvSuspects *suspects)
{
    double highest = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < suspects->n; i++)
        highest = MAX (highest, suspects->chances[i]);
    for (uint32_t i = 0; i < suspects->n; i++)
        n += suspects->chances[i] >= COUNTING * highest;
    return n;
}
