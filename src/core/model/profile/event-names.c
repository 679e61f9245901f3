/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as perf list has them; perf_event_open(2) says what they count. */
#include "core/model/profile/event-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/help-page.h"

typedef struct {
    const char *name;
    const char *title;
    const char *meaning;
    const char *help; /* NULL: that of all events of the processor */
} Event;

static const Event events[] = {
    {"cpu-clock", NC_ ("measure", "CPU time"),
     N_ ("Time on the CPU, sampled by a timer of each CPU")},
    {"task-clock", NC_ ("measure", "CPU time"),
     N_ ("Time on the CPU, sampled by a timer of each thread")},
    {"cycles", NC_ ("measure", "CPU cycles"), N_ ("Processor cycles while not halted")},
    {"cpu-cycles", NC_ ("measure", "CPU cycles"), N_ ("Processor cycles while not halted")},
    {"ref-cycles", NC_ ("measure", "Reference cycles"),
     N_ ("Cycles at the processor’s nominal frequency while not halted")},
    {"bus-cycles", NC_ ("measure", "Bus cycles"),
     N_ ("Bus cycles while the processor was not halted")},
    {"instructions", NC_ ("measure", "Instructions"), N_ ("Instructions retired")},
    {"cache-references", NC_ ("measure", "Cache references"),
     N_ ("Accesses to the last-level cache")},
    {"cache-misses", NC_ ("measure", "Cache misses"),
     N_ ("Accesses that missed the last-level cache")},
    {"branches", NC_ ("measure", "Branches"), N_ ("Branches retired")},
    {"branch-instructions", NC_ ("measure", "Branches"), N_ ("Branches retired")},
    {"branch-misses", NC_ ("measure", "Branch misses"), N_ ("Mispredicted branches")},
    {"stalled-cycles-frontend", NC_ ("measure", "Stalled cycles, front end"),
     N_ ("Cycles without instructions to execute")},
    {"stalled-cycles-backend", NC_ ("measure", "Stalled cycles, back end"),
     N_ ("Cycles in which instructions waited for data or units")},
    {"page-faults", NC_ ("measure", "Page faults"), N_ ("Accesses to pages that were not mapped")},
    {"faults", NC_ ("measure", "Page faults"), N_ ("Accesses to pages that were not mapped")},
    {"minor-faults", NC_ ("measure", "Minor page faults"),
     N_ ("Page faults without reading from a disk")},
    {"major-faults", NC_ ("measure", "Major page faults"),
     N_ ("Page faults that read from a disk")},
    {"context-switches", NC_ ("measure", "Context switches"),
     N_ ("Switches from one thread to another")},
    {"cs", NC_ ("measure", "Context switches"), N_ ("Switches from one thread to another")},
    {"cpu-migrations", NC_ ("measure", "CPU migrations"), N_ ("Moves of a thread to another CPU")},
    {"migrations", NC_ ("measure", "CPU migrations"), N_ ("Moves of a thread to another CPU")},
    {"alignment-faults", NC_ ("measure", "Alignment faults"),
     N_ ("Unaligned accesses that the kernel fixed")},
    {"emulation-faults", NC_ ("measure", "Emulation faults"),
     N_ ("Instructions that the kernel emulated")},
    {"cgroup-switches", NC_ ("measure", "Cgroup switches"),
     N_ ("Switches to a thread of another cgroup")},
    {"off-cpu", NC_ ("measure", "Off-CPU time"), N_ ("Time threads spent waiting"),
     PV_HELP ("measure-waits#off-cpu")},
    {"blocked", NC_ ("measure", "Time blocked"), N_ ("Time threads spent waiting for something"),
     PV_HELP ("measure-waits#blocked")},
    {"preempted", NC_ ("measure", "Time preempted"),
     N_ ("Time threads were ready to run but waited for a CPU"),
     PV_HELP ("measure-waits#preempted")},
    {"run-queue-delay", NC_ ("measure", "Run-queue delay"),
     N_ ("Time between being woken and running, which is a part of the time waited"),
     PV_HELP ("measure-waits#run-queue-delay")},
    {"system-calls", NC_ ("measure", "System calls"),
     N_ ("Time in system calls, from each call to its end"),
     PV_HELP ("measure-waits#system-calls")},
    {"lock-wait", NC_ ("measure", "Lock wait"), N_ ("Time threads spent waiting for kernel locks"),
     PV_HELP ("measure-waits#lock-wait")},
    {"offcpu-time", NC_ ("measure", "Off-CPU time"), N_ ("Time threads spent waiting"),
     PV_HELP ("measure-waits#off-cpu")},
};

/* "cycles:u", "cpu_core/cycles/P" and "cycles" are the same event. */
static const Event *
find_event (const char *name)
{
    const char *slash = strchr (name, '/');
    const char *start = slash != NULL ? slash + 1 : name;
    size_t len = strcspn (start, slash != NULL ? "/," : ":");
    for (size_t i = 0; i < G_N_ELEMENTS (events); i++)
        if (strlen (events[i].name) == len && strncmp (events[i].name, start, len) == 0)
            return &events[i];
    return NULL;
}

static const Event *
find_unique (const PvProfile *profile, PvMeasureId measure)
{
    const Event *event = find_event (profile->measures[measure].name);
    for (PvMeasureId m = 0; event != NULL && m < profile->n_weights; m++) {
        const Event *other = m != measure ? find_event (profile->measures[m].name) : NULL;
        if (other != NULL && strcmp (other->title, event->title) == 0)
            return NULL;
    }
    return event;
}

const char *
pv_measure_get_event_title (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, measure));
    const Event *event = find_unique (profile, measure);
    return event != NULL ? g_dpgettext2 (GETTEXT_PACKAGE, "measure", event->title)
                         : profile->measures[measure].name;
}

PvHeapMeasure
pv_measure_find_heap (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, measure));
    if (profile->n_joined == 0)
        return profile->measures[measure].heap;
    for (PvHeapMeasure heap = PV_HEAP_NONE + 1; heap < PV_N_HEAP_MEASURES; heap++)
        if (g_strcmp0 (pv_heap_measures[heap].name, profile->measures[measure].name) == 0)
            return heap;
    return PV_HEAP_NONE;
}

const char *
pv_measure_get_title (const PvProfile *profile, PvMeasureId measure)
{
    PvHeapMeasure heap = pv_measure_find_heap (profile, measure);
    return heap != PV_HEAP_NONE
               ? g_dpgettext2 (GETTEXT_PACKAGE, "measure", pv_heap_measures[heap].title)
               : pv_measure_get_event_title (profile, measure);
}

const char *
pv_measure_get_event_meaning (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, measure));
    const Event *event = find_event (profile->measures[measure].name);
    return event != NULL ? _ (event->meaning) : NULL;
}

const char *
pv_measure_get_help (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, measure));
    static const char *const of_heap[PV_N_HEAP_MEASURES] = {
        [PV_HEAP_PEAK] = PV_HELP ("measure-heap#peak"),
        [PV_HEAP_LEAKED] = PV_HELP ("measure-heap#leaked"),
        [PV_HEAP_LIVE] = PV_HELP ("measure-heap#live"),
        [PV_HEAP_GROWTH] = PV_HELP ("measure-heap#growth"),
        [PV_HEAP_ALLOCATED] = PV_HELP ("measure-heap#allocated"),
        [PV_HEAP_ALLOCATIONS] = PV_HELP ("measure-heap#allocations"),
        [PV_HEAP_TEMPORARY] = PV_HELP ("measure-heap#temporary"),
        [PV_HEAP_LIFETIME] = PV_HELP ("measure-heap#lifetime"),
        [PV_HEAP_INCREASE] = PV_HELP ("measure-heap#growth"),
        [PV_HEAP_DECREASE] = PV_HELP ("measure-heap#growth"),
    };
    const PvMeasure *row = &profile->measures[measure];
    const PvHeapMeasure heap = pv_measure_find_heap (profile, measure);
    const Event *event = find_event (row->name);
    if (heap != PV_HEAP_NONE)
        return of_heap[heap];
    if (event != NULL)
        return event->help != NULL ? event->help : PV_HELP ("measure-cpu");
    if (strcmp (row->name, "weight") == 0)
        return PV_HELP ("measure-memory");
    if (profile->n_dumps > 0)
        return PV_HELP ("measure-sampled#series");
    if (row->part == PV_PART_BOTH)
        return PV_HELP ("measure-sampled#signed");
    return row->unit == PV_UNIT_BYTES ? PV_HELP ("measure-sampled#sampled")
                                      : PV_HELP ("measure-self");
}

/* True if the modifiers of an event request precise addresses: "cycles:pp", "cpu_core/cycles/P". */
static bool
is_precise (const char *name)
{
    const char *modifiers = strrchr (name, strchr (name, '/') != NULL ? '/' : ':');
    return modifiers != NULL && strpbrk (modifiers, "pP") != NULL;
}

const char *
pv_measure_get_skid (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, measure));
    static const char *const clocks[] = {"cpu-clock", "task-clock"};
    static const char *const hardware[] = {
        "cycles",       "cpu-cycles", "ref-cycles",          "bus-cycles",    "instructions",
        "cache-misses", "branches",   "branch-instructions", "branch-misses", "cache-references"};
    const char *name = profile->measures[measure].name;
    const Event *event = find_event (name);
    for (size_t i = 0; event != NULL && i < G_N_ELEMENTS (clocks); i++)
        if (strcmp (event->name, clocks[i]) == 0)
            return _ (
                "Samples were taken when a timer fired, before the next instruction: the cost "
                "of a slow instruction is at the one after it.");
    for (size_t i = 0; event != NULL && !is_precise (name) && i < G_N_ELEMENTS (hardware); i++)
        if (strcmp (event->name, hardware[i]) == 0)
            return _ ("The event was not recorded precisely: costs are often at an instruction "
                      "shortly after the one that caused them. “:pp” after the event’s name "
                      "records it precisely, if the processor can.");
    return NULL;
}

PvMeasureId
pv_profile_find_measure_or_title (const PvProfile *profile, const char *name)
{
    g_assert (profile != NULL && name != NULL);
    PvMeasureId found = pv_profile_find_measure (profile, name);
    for (PvMeasureId m = 0; found == UINT32_MAX && m < profile->n_weights; m++) {
        const Event *event = find_unique (profile, m);
        if (event != NULL &&
            (g_ascii_strcasecmp (event->title, name) == 0 ||
             g_ascii_strcasecmp (g_dpgettext2 (GETTEXT_PACKAGE, "measure", event->title), name) ==
                 0))
            found = m;
    }
    return found;
}
