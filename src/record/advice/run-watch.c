/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <time.h>

#include "record/advice/run-conditions.h"

/* Fewer samples do not make a mean. */
enum { FIRST_MS = 100, INTERVAL_MS = 500, MIN_SAMPLES = 3 };

struct PvRunWatch {
    char *root;
    bool matters; /* else nothing is found */
    bool counts_others;
    PvTicks ticks; /* before the run */
    GArray *heat;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool is_over; /* also read without the lock */
    /* Written by the thread. */
    uint64_t sum_khz;
    unsigned n_samples;
    bool is_on_battery;
};

/* False once the run is over. */
static bool
wait_for_sample (PvRunWatch *watch)
{
    const unsigned ms = watch->n_samples == 0 ? FIRST_MS : INTERVAL_MS;
    struct timespec due;
    clock_gettime (CLOCK_MONOTONIC, &due);
    due.tv_nsec += (long)(ms % 1000) * 1000000;
    due.tv_sec += ms / 1000 + due.tv_nsec / 1000000000;
    due.tv_nsec %= 1000000000;
    pthread_mutex_lock (&watch->mutex);
    while (!watch->is_over && pthread_cond_timedwait (&watch->ended, &watch->mutex, &due) == 0)
        ;
    bool goes_on = !watch->is_over;
    pthread_mutex_unlock (&watch->mutex);
    return goes_on;
}

/* Drivers of batteries may take some 10 ms to answer. */
static void *
run_thread (void *data)
{
    PvRunWatch *watch = data;
    PvMachineState state;
    pv_machine_state_read (&state, watch->root);
    watch->is_on_battery = state.is_on_battery;
    pv_machine_state_clear (&state);
    while (wait_for_sample (watch)) {
        unsigned khz = pv_machine_find_frequency_khz (watch->root, &watch->is_over);
        if (khz == 0 || __atomic_load_n (&watch->is_over, __ATOMIC_RELAXED))
            break;
        watch->sum_khz += khz;
        watch->n_samples++;
    }
    return NULL;
}

PvRunWatch *
pv_run_watch_start (const PvRecordPlan *plan, const char *root)
{
    g_assert (plan != NULL && root != NULL);
    PvRunWatch *watch = g_new0 (PvRunWatch, 1);
    pthread_condattr_t clock;
    watch->root = g_strdup (root);
    watch->counts_others = plan->target == PV_TARGET_LAUNCH && !plan->leaves_target;
    watch->matters = pv_run_conditions_matter (plan);
    if (!watch->matters)
        return watch;
    watch->heat = pv_heat_read (root);
    pv_ticks_read (&watch->ticks, root);
    pthread_mutex_init (&watch->mutex, NULL);
    pthread_condattr_init (&clock);
    pthread_condattr_setclock (&clock, CLOCK_MONOTONIC);
    pthread_cond_init (&watch->ended, &clock);
    pthread_condattr_destroy (&clock);
    watch->has_thread = pthread_create (&watch->thread, NULL, run_thread, watch) == 0;
    return watch;
}

static void
end (PvRunWatch *watch, PvRunConditions *run)
{
    PvTicks ticks;
    pv_ticks_read (&ticks, watch->root);
    pthread_mutex_lock (&watch->mutex);
    __atomic_store_n (&watch->is_over, true, __ATOMIC_RELAXED);
    pthread_cond_signal (&watch->ended);
    pthread_mutex_unlock (&watch->mutex);
    if (watch->has_thread)
        pthread_join (watch->thread, NULL);
    g_autoptr (GArray) heat = pv_heat_read (watch->root);
    pv_run_conditions_set_ticks (run, &watch->ticks, &ticks, watch->counts_others);
    pv_run_conditions_set_heat (run, watch->heat, heat);
    run->is_on_battery = watch->is_on_battery;
    run->mean_khz =
        watch->n_samples >= MIN_SAMPLES ? (unsigned)(watch->sum_khz / watch->n_samples) : 0;
    pthread_mutex_destroy (&watch->mutex);
    pthread_cond_destroy (&watch->ended);
    g_clear_pointer (&watch->heat, g_array_unref);
}

PvRunConditions
pv_run_watch_end (PvRunWatch *watch, const PvTurn *turn)
{
    g_assert (watch != NULL && turn != NULL);
    PvRunConditions run = {.others = -1,
                           .stolen = -1,
                           .side = turn->side,
                           .round = turn->round,
                           .program = turn->program};
    if (watch->matters)
        end (watch, &run);
    g_free (watch->root);
    g_free (watch);
    return run;
}
