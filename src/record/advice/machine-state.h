/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The state of the machine at a moment, as far as programs run faster or slower by it. Read from
 * /proc and /sys below a root, "" but in tests; what is not there is unknown, as in most containers
 * and virtual machines. Blocking, some 10 µs for each CPU; any thread.
 */

/* "", or the folder in PROFVIEW_MACHINE, which tests set. */
const char *pv_machine_get_root (void);

typedef enum {
    PV_TURBO_UNKNOWN,
    PV_TURBO_OFF,
    PV_TURBO_ON_INTEL, /* as intel_pstate says */
    PV_TURBO_ON,       /* as cpufreq says */
} PvTurbo;

typedef struct {
    char *governor;   /* of the first CPU that has another one than "performance"; NULL: none */
    bool may_perform; /* that CPU knows "performance" */
    PvTurbo turbo;
    bool is_on_battery;
} PvMachineState;

void pv_machine_state_read (PvMachineState *ret_state, const char *root);
void pv_machine_state_clear (PvMachineState *state);

/* Ticks of all CPUs since the machine was started: /proc/stat. */
typedef struct {
    uint64_t all; /* 0: unknown */
    uint64_t idle;
    uint64_t stolen; /* the host gave them to others */
    uint64_t own;    /* of this process, and of those of its descendants that have ended */
} PvTicks;

void pv_ticks_read (PvTicks *ret_ticks, const char *root);

/* How often a CPU was slowed down because of heat, its own or that of the whole processor. */
typedef struct {
    unsigned number;
    uint64_t n_throttled;
} PvCpuHeat;

/* By number, of CPUs that count it; NULL: none does. */
GArray *pv_heat_read (const char *root);

/* The frequency of the fastest CPU now; 0: unknown. Old kernels need 10 ms for each CPU. *is_over
 * ends it early, if it becomes true; may be NULL. */
unsigned pv_machine_find_frequency_khz (const char *root, const bool *is_over);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvMachineState, pv_machine_state_clear)
