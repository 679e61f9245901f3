/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of files and their meaning are from Documentation/ABI/testing/sysfs-devices-system-cpu and
 * sysfs-class-power, Documentation/admin-guide/pm and proc(5).
 */
#include "record/advice/machine-state.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CPUS     "/sys/devices/system/cpu"
#define SUPPLIES "/sys/class/power_supply"

enum { MAX_CPUS = 8192, MAX_SUPPLIES = 64, MAX_SETTING_BYTES = 4096 };

const char *
pv_machine_get_root (void)
{
    const char *root = g_getenv ("PROFVIEW_MACHINE");
    return root != NULL ? root : "";
}

/* The text of a small file, without blanks at its end; NULL: it cannot be read. */
static char *
read_setting (const char *root, const char *folder, const char *name)
{
    char buffer[MAX_SETTING_BYTES];
    g_autofree char *path = g_strconcat (root, folder, "/", name, NULL);
    FILE *file = fopen (path, "re");
    if (file == NULL)
        return NULL;
    size_t n = fread (buffer, 1, sizeof buffer, file);
    bool is_read = ferror (file) == 0;
    fclose (file);
    return is_read ? g_strchomp (g_strndup (buffer, n)) : NULL;
}

static bool
read_count (const char *root, const char *folder, const char *name, uint64_t *ret_count)
{
    g_autofree char *text = read_setting (root, folder, name);
    guint64 count;
    if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &count, NULL))
        return false;
    *ret_count = count;
    return true;
}

static bool
has_text (const char *root, const char *folder, const char *name, const char *wanted)
{
    g_autofree char *text = read_setting (root, folder, name);
    return g_strcmp0 (text, wanted) == 0;
}

/* CPUs */

static int
compare_numbers (const void *a, const void *b)
{
    const unsigned *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Numbers of the CPUs, ascending: their folders are cpu0, cpu1 … beside cpufreq and others. */
static GArray *
list_cpus (const char *root)
{
    GArray *numbers = g_array_new (FALSE, FALSE, sizeof (unsigned));
    g_autofree char *path = g_strconcat (root, CPUS, NULL);
    g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
    const char *name;
    while (folder != NULL && numbers->len < MAX_CPUS && (name = g_dir_read_name (folder)) != NULL) {
        guint64 number;
        if (!g_str_has_prefix (name, "cpu") ||
            !g_ascii_string_to_unsigned (name + strlen ("cpu"), 10, 0, MAX_CPUS - 1, &number, NULL))
            continue;
        unsigned cpu = (unsigned)number;
        g_array_append_val (numbers, cpu);
    }
    g_array_sort (numbers, compare_numbers);
    return numbers;
}

static char *
get_cpu_folder (unsigned cpu, const char *part)
{
    return g_strdup_printf (CPUS "/cpu%u/%s", cpu, part);
}

/* True if the frequency does not follow the load: with these drivers "powersave" does
 * (Documentation/admin-guide/pm of Linux), else it is the lowest one. */
static bool
is_steady (const char *governor, const char *driver)
{
    return strcmp (governor, "performance") == 0 || strcmp (governor, "userspace") == 0 ||
           (strcmp (governor, "powersave") == 0 && driver != NULL &&
            strcmp (driver, "intel_pstate") != 0 && strcmp (driver, "amd-pstate-epp") != 0);
}

static void
read_governor (PvMachineState *state, const char *root, const GArray *cpus)
{
    for (guint i = 0; i < cpus->len && state->governor == NULL; i++) {
        g_autofree char *folder = get_cpu_folder (g_array_index (cpus, unsigned, i), "cpufreq");
        g_autofree char *governor = read_setting (root, folder, "scaling_governor");
        g_autofree char *driver = read_setting (root, folder, "scaling_driver");
        if (governor == NULL || *governor == '\0' || is_steady (governor, driver))
            continue;
        g_autofree char *known = read_setting (root, folder, "scaling_available_governors");
        g_auto (GStrv) words = g_strsplit (known != NULL ? known : "", " ", -1);
        state->governor = g_utf8_make_valid (governor, -1);
        state->may_perform = g_strv_contains ((const char *const *)words, "performance");
    }
}

static PvTurbo
find_turbo (const char *root)
{
    uint64_t value;
    if (read_count (root, CPUS "/intel_pstate", "no_turbo", &value))
        return value == 0 ? PV_TURBO_ON_INTEL : PV_TURBO_OFF;
    if (read_count (root, CPUS "/cpufreq", "boost", &value))
        return value == 0 ? PV_TURBO_OFF : PV_TURBO_ON;
    return PV_TURBO_UNKNOWN;
}

GArray *
pv_heat_read (const char *root)
{
    g_autoptr (GArray) cpus = list_cpus (root);
    GArray *heat = NULL;
    for (guint i = 0; i < cpus->len; i++) {
        PvCpuHeat cpu = {.number = g_array_index (cpus, unsigned, i)};
        g_autofree char *folder = get_cpu_folder (cpu.number, "thermal_throttle");
        uint64_t core = 0, package = 0;
        bool has_core = read_count (root, folder, "core_throttle_count", &core);
        if (!read_count (root, folder, "package_throttle_count", &package) && !has_core)
            continue;
        /* Heat of the whole processor is counted by each of its cores. */
        cpu.n_throttled = core + package;
        if (heat == NULL)
            heat = g_array_new (FALSE, FALSE, sizeof (PvCpuHeat));
        g_array_append_val (heat, cpu);
    }
    return heat;
}

unsigned
pv_machine_find_frequency_khz (const char *root, const bool *is_over)
{
    g_autoptr (GArray) cpus = list_cpus (root);
    uint64_t highest = 0;
    for (guint i = 0; i < cpus->len; i++) {
        g_autofree char *folder = get_cpu_folder (g_array_index (cpus, unsigned, i), "cpufreq");
        uint64_t khz;
        if (is_over != NULL && __atomic_load_n (is_over, __ATOMIC_RELAXED))
            break;
        /* Which is measured, where there is that. */
        if (read_count (root, folder, "cpuinfo_avg_freq", &khz) ||
            read_count (root, folder, "scaling_cur_freq", &khz))
            highest = MAX (highest, khz);
    }
    return (unsigned)MIN (highest, G_MAXUINT);
}

/* Power */

/* True if what could charge the battery does not, and the battery of the computer, not that of a
 * mouse, is what it runs on. */
static bool
find_battery (const char *root)
{
    g_autofree char *path = g_strconcat (root, SUPPLIES, NULL);
    g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
    bool is_discharging = false;
    const char *name;
    for (unsigned i = 0; folder != NULL && i < MAX_SUPPLIES; i++) {
        if ((name = g_dir_read_name (folder)) == NULL)
            break;
        g_autofree char *supply = g_strconcat (SUPPLIES "/", name, NULL);
        g_autofree char *type = read_setting (root, supply, "type");
        uint64_t online;
        if (has_text (root, supply, "scope", "Device"))
            continue;
        if (g_strcmp0 (type, "Battery") == 0)
            is_discharging |= has_text (root, supply, "status", "Discharging");
        else if (read_count (root, supply, "online", &online) && online != 0)
            return false;
    }
    return is_discharging;
}

/* Ticks */

void
pv_ticks_read (PvTicks *ret_ticks, const char *root)
{
    /* user, nice, system, idle, iowait, irq, softirq, steal; what follows is in these, too. */
    enum { IDLE = 3, IOWAIT = 4, STEAL = 7, N_FIELDS };
    g_autofree char *text = read_setting (root, "/proc", "stat");
    struct rusage own, children;
    uint64_t fields[N_FIELDS] = {0};
    *ret_ticks = (PvTicks){0};
    if (text == NULL || !g_str_has_prefix (text, "cpu "))
        return;
    const char *pos = text + strlen ("cpu");
    for (unsigned i = 0; i < N_FIELDS; i++) {
        char *end;
        fields[i] = g_ascii_strtoull (pos, &end, 10);
        if (end == pos)
            break;
        ret_ticks->all += fields[i];
        pos = end;
    }
    ret_ticks->idle = fields[IDLE] + fields[IOWAIT];
    ret_ticks->stolen = fields[STEAL];
    getrusage (RUSAGE_SELF, &own);
    getrusage (RUSAGE_CHILDREN, &children);
    const struct timeval *times[] = {&own.ru_utime, &own.ru_stime, &children.ru_utime,
                                     &children.ru_stime};
    uint64_t own_us = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (times); i++)
        own_us += (uint64_t)times[i]->tv_sec * G_USEC_PER_SEC + (uint64_t)times[i]->tv_usec;
    ret_ticks->own = own_us * (uint64_t)MAX (sysconf (_SC_CLK_TCK), 1) / G_USEC_PER_SEC;
}

/* All of it */

void
pv_machine_state_read (PvMachineState *ret_state, const char *root)
{
    g_assert (ret_state != NULL && root != NULL);
    g_autoptr (GArray) cpus = list_cpus (root);
    *ret_state = (PvMachineState){.turbo = find_turbo (root), .is_on_battery = find_battery (root)};
    read_governor (ret_state, root, cpus);
}

void
pv_machine_state_clear (PvMachineState *state)
{
    g_free (state->governor);
    *state = (PvMachineState){0};
}
