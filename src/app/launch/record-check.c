/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/launch/record-check.h"

#include <pthread.h>
#include <sys/stat.h>

#include "core/probe/program-facts.h"
#include "record/advice/run-conditions.h"
#include "record/plan/find-program.h"
#include "record/plan/turns.h"

/* The last program that was inspected: plans change with every key, programs seldom. */
static struct {
    pthread_mutex_t lock;
    struct stat status;
    PvProgramFacts facts;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static char *
find_program (const PvRecordPlan *plan)
{
    g_autofree char *path = NULL;

    if (plan->target == PV_TARGET_ATTACH && plan->pid > 0)
        return g_strdup_printf ("/proc/%d/exe", (int)plan->pid);
    if (plan->target != PV_TARGET_LAUNCH || plan->argv == NULL || plan->argv[0] == NULL)
        return NULL;
    path = pv_find_program (plan, NULL);
    if (path == NULL || g_path_is_absolute (path) || plan->folder == NULL)
        return g_steal_pointer (&path);
    return g_build_filename (plan->folder, path, NULL);
}

static gboolean
is_known (const struct stat *status)
{
    return status->st_dev == known.status.st_dev && status->st_ino == known.status.st_ino &&
           status->st_size == known.status.st_size &&
           status->st_mtim.tv_sec == known.status.st_mtim.tv_sec &&
           status->st_mtim.tv_nsec == known.status.st_mtim.tv_nsec;
}

static void
read_facts (const char *path, const PvJob *job, PvProgramFacts *ret_facts)
{
    struct stat status;
    PvProgramFacts facts;

    if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
        return;
    pthread_mutex_lock (&known.lock);
    if (!is_known (&status) && pv_program_facts_read (path, job, &facts)) {
        known.facts = facts;
        known.status = status;
    }
    if (is_known (&status))
        *ret_facts = known.facts;
    pthread_mutex_unlock (&known.lock);
}

static GPtrArray *
check_one (const PvRecordPlan *plan, const PvJob *job)
{
    g_autofree char *path = find_program (plan);
    PvProgramFacts facts = {0};

    if (path != NULL)
        read_facts (path, job, &facts);
    return pv_record_check (plan, &facts);
}

static gboolean
has_both (const PvRecordPlan *plan)
{
    return g_strv_length (plan->programs) == PV_N_SIDES && *plan->programs[PV_SIDE_BASE] != '\0' &&
           *plan->programs[PV_SIDE_NEW] != '\0';
}

static GPtrArray *
check_both (const PvRecordPlan *plan, const PvJob *job)
{
    GPtrArray *advice_of_side[PV_N_SIDES];

    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_autoptr (PvRecordPlan) one = pv_turns_make_plan_of_side (plan, side);
        advice_of_side[side] = check_one (one, job);
    }
    return pv_advice_join (advice_of_side, (const char *const *)plan->programs,
                           pv_run_conditions_foresee (plan, pv_machine_get_root ()));
}

static gpointer
check (gpointer input, PvJob *job, GError **error)
{
    const PvRecordPlan *plan = input;

    if (plan->programs == NULL)
        return check_one (plan, job);
    return has_both (plan) ? check_both (plan, job)
                           : pv_run_conditions_foresee (plan, pv_machine_get_root ());
}

PvTask *
pv_record_check_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, check, (GDestroyNotify)pv_record_plan_free,
                        (GDestroyNotify)g_ptr_array_unref, done);
}

const PvAdvice *
pv_record_check_find_fault (const GPtrArray *advice)
{
    for (guint i = 0; advice != NULL && i < advice->len; i++)
        if (((const PvAdvice *)advice->pdata[i])->level == PV_ADVICE_FAULT)
            return advice->pdata[i];
    return NULL;
}
