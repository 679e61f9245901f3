/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worth of the intervals of comparisons, at length: how many hold the truth, how often something
 * stands out that did not change, and what is found of planted changes, beside a quasi-Poisson
 * model of the same blocks (R: glm (samples ~ side, family = quasipoisson)). Draws from a
 * recording:
 *
 *     bench-intervals [RECORDING]
 */
#include <stdio.h>
#include <stdlib.h>

#include "../unit/analyze/resampled.h"
#include "../unit/load/loaded.h"

enum { N_COVERING_PAIRS = 2000, N_SAME_PAIRS = 1000, N_POWER_PAIRS = 200 };

static Resampling
start (const Loaded *loaded, double n_samples, unsigned burst, unsigned n_runs)
{
    return (Resampling){.profile = loaded->profile,
                        .symbols = loaded->symbols,
                        .rate = n_samples / loaded->profile->sets[0].n_samples,
                        .burst = burst,
                        .n_runs = n_runs,
                        .factor = 1};
}

static void
print_coverage (const Loaded *loaded)
{
    printf ("Intervals that hold the truth, in percent of %d pairs; a function of 10 %% is half as "
            "slow again\n%8s %6s %5s  %8s %8s %8s %8s\n",
            N_COVERING_PAIRS, "samples", "burst", "runs", "rare", "some", "hot", "most");
    for (unsigned burst = 1; burst <= 5; burst += 4)
        for (unsigned n_runs = 1; n_runs <= 10; n_runs = n_runs == 2 ? 5 : 2 * n_runs) {
            Resampling with = start (loaded, 2000, burst, n_runs);
            ResampledCounts counts = {0};
            with.factor = 1.5;
            with.slow = resampled_find_function (&with, 100);
            resampled_count (&with, burst * 100 + n_runs, N_COVERING_PAIRS / n_runs, &counts);
            printf ("%8d %6u %5u ", 2000, burst, n_runs);
            for (ResampledSize size = 0; size < RESAMPLED_N_SIZES; size++)
                printf (" %8.1f", 100 * resampled_get_coverage (&counts, size));
            printf ("\n");
        }
}

static void
print_same (const Loaded *loaded)
{
    printf ("\nPairs of the same in which anything stands out, of %d\n%8s %6s %5s\n", N_SAME_PAIRS,
            "samples", "burst", "runs");
    for (unsigned burst = 1; burst <= 5; burst += 4)
        for (unsigned n_runs = 1; n_runs <= 5; n_runs += 4) {
            Resampling with = start (loaded, 2000, burst, n_runs);
            ResampledCounts counts = {0};
            resampled_count (&with, burst * 100 + n_runs, N_SAME_PAIRS, &counts);
            printf ("%8d %6u %5u  %8u\n", 2000, burst, n_runs, counts.n_wrong);
        }
}

static void
print_power (const Loaded *loaded)
{
    static const double factors[] = {3, 1.5, 1.1, 1.03};
    static const double samples[] = {500, 1600, 5000, 20000};
    static const unsigned runs[] = {1, 5, 10};
    printf (
        "\nChanges of a function of 10 %% that are found, in percent of %d pairs: it stands out "
        "/ its interval leaves out 0 / by the model of blocks\n%8s %5s",
        N_POWER_PAIRS, "samples", "runs");
    for (size_t f = 0; f < G_N_ELEMENTS (factors); f++)
        printf ("  %10s×%-5.2f", "", factors[f]);
    printf ("\n");
    for (size_t s = 0; s < G_N_ELEMENTS (samples); s++)
        for (size_t r = 0; r < G_N_ELEMENTS (runs); r++) {
            printf ("%8.0f %5u", samples[s], runs[r]);
            for (size_t f = 0; f < G_N_ELEMENTS (factors); f++) {
                Resampling with = start (loaded, samples[s], 1, runs[r]);
                ResampledCounts counts = {0};
                with.factor = factors[f];
                with.slow = resampled_find_function (&with, 100);
                resampled_count (&with, (unsigned)(s * 10 + r), N_POWER_PAIRS / runs[r], &counts);
                const double n = counts.n_pairs / 100.0;
                printf ("   %4.0f/%4.0f/%4.0f", counts.n_found / n, counts.n_sure / n,
                        counts.n_sure_by_blocks / n);
            }
            printf ("\n");
        }
}

int
main (int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : g_getenv ("PV_BENCH_DEFAULT");
    if (path == NULL) {
        fprintf (stderr, "usage: bench-intervals [RECORDING]\n");
        return 2;
    }
    PvLoadOptions options = {0};
    g_auto (Loaded) loaded = load_file (path, &options);
    print_coverage (&loaded);
    print_same (&loaded);
    print_power (&loaded);
    return 0;
}
