/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/load-job.h"

#include "app/work/work.h"

#define PROGRESS_INTERVAL_MS 80

struct PvLoadJob {
    gpointer owner; /* main loop only; NULL once closed */
    PvLoadJobEvents events;
    PvJob *job;
    guint progress_source;
    PvStage last_stage;
    double last_fraction;

    /* The worker's. */
    PvSourceSpec *spec;
    PvReadFunc read;
    PvFollow *follow; /* instead of read; or NULL */
    gboolean is_growing;
    PvProfile *profile;      /* there from the start where only names are to be found */
    PvSymbolOptions symbols; /* ours */
    PvQuestion *question;    /* NULL: the first answer is there, or the document asks */
    gboolean has_preview;    /* one was posted */
    gboolean has_answer;     /* the first one was posted */
    GError *error;           /* why there is no first answer */

    /* From the worker: the newest results, exchanged atomically, and whether a delivery is on its
     * way. */
    PvLoaded *new_profile; /* all kinds but the other one */
    PvLoaded *new_names;   /* PV_LOADED_BETTER */
    int is_posted;
};

void
pv_loaded_free (PvLoaded *loaded)
{
    if (loaded == NULL)
        return;
    g_clear_pointer (&loaded->profile, pv_profile_free);
    g_clear_pointer (&loaded->symbols, pv_symbol_table_free);
    g_clear_pointer (&loaded->reply, pv_reply_free);
    g_free (loaded);
}

static void
load_job_clear (gpointer data)
{
    PvLoadJob *load = data;

    pv_job_unref (load->job);
    pv_source_spec_free (load->spec);
    pv_clear_later (&load->follow, pv_follow_unref);
    pv_symbol_options_clear (&load->symbols);
    pv_clear_later (&load->profile, pv_profile_free);
    g_clear_pointer (&load->question, pv_question_free);
    g_clear_error (&load->error);
    pv_clear_later (&load->new_profile, pv_loaded_free);
    pv_clear_later (&load->new_names, pv_loaded_free);
}

static void
load_job_unref (gpointer data)
{
    g_atomic_rc_box_release_full (data, load_job_clear);
}

/* Delivery */

static void
deliver_one (PvLoadJob *load, PvLoaded *loaded)
{
    if (loaded != NULL && load->owner != NULL)
        load->events.loaded (load->owner, loaded);
    else
        pv_free_later (loaded, (GDestroyNotify)pv_loaded_free);
}

static void
deliver (PvLoadJob *load)
{
    /* The worker posts the profile first: when its better names are seen, it is there. */
    PvLoaded *names = g_atomic_pointer_exchange (&load->new_names, NULL);
    PvLoaded *profile = g_atomic_pointer_exchange (&load->new_profile, NULL);

    deliver_one (load, profile);
    deliver_one (load, names);
}

static gboolean
deliver_on_main (gpointer data)
{
    PvLoadJob *load = data;

    g_atomic_int_set (&load->is_posted, 0);
    deliver (load);
    return G_SOURCE_REMOVE;
}

/* Takes symbols and reply. Worker threads. */
static void
post (PvLoadJob *load, PvLoadedKind kind, const PvProfile *profile, PvSymbolTable *symbols,
      PvReply *reply)
{
    PvLoaded **box = kind == PV_LOADED_BETTER ? &load->new_names : &load->new_profile;
    PvLoaded *loaded = g_new (PvLoaded, 1);

    *loaded = (PvLoaded){kind, pv_profile_ref (profile), symbols, reply};
    pv_loaded_free (g_atomic_pointer_exchange (box, loaded));
    if (g_atomic_int_compare_and_exchange (&load->is_posted, 0, 1))
        g_idle_add_full (G_PRIORITY_DEFAULT, deliver_on_main, g_atomic_rc_box_acquire (load),
                         load_job_unref);
}

/* The worker */

/* Takes the query from the user's words, and out of it the formulas. FALSE: the words do not apply,
 * and the query is the default one. */
static gboolean
resolve_query (PvQuestion *question, char ***ret_formulas, GError **error)
{
    g_auto (PvQueryWords) words;
    PvQuery query;

    pv_query_words_init (&words);
    words.takes_formulas = true;
    if (question->words == NULL) {
        pv_query_set_defaults (&question->query, question->profile);
        return TRUE;
    }
    if (!pv_query_words_add_all (&words, (const char *const *)question->words, error) ||
        !pv_query_words_resolve (&words, question->profile, &query, error)) {
        pv_query_set_defaults (&question->query, question->profile);
        return FALSE;
    }
    *ret_formulas = g_steal_pointer (&query.formulas);
    pv_query_clear (&question->query);
    question->query = query;
    question->is_inverted = query.is_inverted;
    question->query.is_inverted = false;
    return TRUE;
}

/* Takes the side of a comparison's measure that the user has requested, if any. */
static void
choose_side (PvQuestion *question)
{
    const PvPair *pair = pv_profile_get_pair (question->profile, question->query.measure);

    if (question->profile->compared != NULL && pair != NULL && question->comparison.has_side)
        question->query.measure = pair->of_side[question->comparison.width_side];
}

static PvReply *
build_first_answer (PvLoadJob *load, const PvProfile *profile, PvSymbolTable *symbols,
                    gboolean is_part, PvJob *job, GError **error)
{
    PvQuestion *question = pv_question_copy (load->question);
    PvReply *reply = NULL;
    g_auto (GStrv) formulas = NULL;
    g_autoptr (GError) words_error = NULL;
    gboolean is_resolved;

    question->profile = pv_profile_ref (profile);
    question->symbols = pv_symbol_table_ref (symbols);
    is_resolved = resolve_query (question, &formulas, &words_error);
    choose_side (question);
    if (is_resolved || !is_part)
        reply = pv_answer_build (question, job, error);
    if (reply != NULL) {
        reply->formulas = g_steal_pointer (&formulas);
        reply->words_error = g_steal_pointer (&words_error);
    }
    pv_question_free (question);
    return reply;
}

/* Called by a thread of its own, before the others: job is cancelled when all has been read. */
static void
on_preview_ready (PvProfile *profile, PvSymbolTable *symbols, PvJob *job, void *user)
{
    PvLoadJob *load = user;
    PvReply *reply = build_first_answer (load, profile, symbols, TRUE, job, NULL);

    if (reply != NULL) {
        load->has_preview = TRUE;
        post (load, PV_LOADED_PREVIEW, profile, g_steal_pointer (&symbols), reply);
    }
    pv_symbol_table_free (symbols);
    pv_profile_free (profile);
}

/* A preview that nobody has taken yet is worth nothing beside the whole; one that is shown stays
 * until the whole can replace it. */
static void
on_profile_ready (PvProfile *profile, void *user)
{
    PvLoadJob *load = user;
    PvLoaded *preview = g_atomic_pointer_exchange (&load->new_profile, NULL);

    if (load->has_preview && preview == NULL)
        g_clear_pointer (&load->question, pv_question_free);
    pv_loaded_free (preview);
    load->profile = profile;
}

static void
post_first (PvLoadJob *load, PvSymbolTable *symbols)
{
    PvReply *reply;

    pv_job_set_stage (load->job, PV_STAGE_ANALYZE, 0);
    reply = build_first_answer (load, load->profile, symbols, load->question->is_part, load->job,
                                &load->error);
    g_clear_pointer (&load->question, pv_question_free);
    load->has_answer = reply != NULL;
    if (reply != NULL) {
        post (load, PV_LOADED_FIRST, load->profile, symbols, reply);
        return;
    }
    pv_symbol_table_free (symbols);
    pv_job_cancel (load->job);
}

static void
on_symbols_ready (PvSymbolTable *symbols, void *user)
{
    PvLoadJob *load = user;

    if (load->question != NULL)
        post_first (load, symbols);
    else if (load->has_answer)
        post (load, PV_LOADED_BETTER, load->profile, symbols, NULL);
    else if (symbols->is_complete)
        post (load, PV_LOADED_RENEWAL, load->profile, symbols, NULL);
    else
        pv_symbol_table_free (symbols);
}

/* Reads what has been added to a growing file. */
static bool
read_more (PvLoadJob *load, const PvLoadEvents *events, GError **error)
{
    PvFollowStep step;

    if (!pv_follow_step (load->follow, load->job, &step, error))
        return false;
    if (step.profile != NULL) {
        events->profile_ready (step.profile, events->user);
        events->symbols_ready (step.symbols, events->user);
    }
    return true;
}

static bool
read_or_name (PvLoadJob *load, const PvLoadOptions *options, const PvLoadEvents *events,
              GError **error)
{
    if (load->profile != NULL)
        return pv_load_symbols (load->spec->paths[0], load->profile, options, events, load->job,
                                error);
    if (load->follow != NULL && load->is_growing)
        return read_more (load, events, error);
    if (load->follow != NULL)
        return pv_follow_finish (load->follow, load->symbols.n_workers, events, load->job, error);
    return load->read (load->spec, options, events, load->job, error);
}

static void
run (GTask *gtask, gpointer source, gpointer data, GCancellable *cancellable)
{
    PvLoadJob *load = data;
    GError *error = NULL;
    PvLoadOptions options = {.symbols = load->symbols};
    PvLoadEvents events = {
        .preview_ready = load->question != NULL ? on_preview_ready : NULL,
        .profile_ready = on_profile_ready,
        .symbols_ready = on_symbols_ready,
        .user = load,
    };
    bool is_loaded = read_or_name (load, &options, &events, &error);

    if (load->error != NULL) {
        g_clear_error (&error);
        g_task_return_error (gtask, g_steal_pointer (&load->error));
    } else if (!is_loaded) {
        g_task_return_error (gtask, error);
    } else {
        g_task_return_boolean (gtask, TRUE);
    }
}

/* The main loop */

static void
on_done (GObject *source, GAsyncResult *result, gpointer user)
{
    PvLoadJob *load = g_task_get_task_data (G_TASK (result));
    g_autoptr (GError) error = NULL;

    g_task_propagate_boolean (G_TASK (result), &error);
    deliver (load);
    g_clear_handle_id (&load->progress_source, g_source_remove);
    if (load->owner != NULL)
        load->events.finished (load->owner, error);
}

static gboolean
show_progress (gpointer data)
{
    PvLoadJob *load = data;
    double fraction = -1;
    PvStage stage = pv_job_get_progress (load->job, &fraction);

    if (stage != load->last_stage || fraction != load->last_fraction || fraction < 0) {
        load->last_stage = stage;
        load->last_fraction = fraction;
        load->events.progress (load->owner, stage, fraction);
    }
    return G_SOURCE_CONTINUE;
}

PvLoadJob *
pv_load_job_start (gpointer owner, const PvLoadJobEvents *events, const PvLoadRequest *request)
{
    PvLoadJob *load;
    g_autoptr (GTask) gtask = g_task_new (NULL, NULL, on_done, NULL);

    g_assert (owner != NULL);
    g_assert (request->spec->paths[0] != NULL || request->spec->runs != NULL);
    load = g_atomic_rc_box_new0 (PvLoadJob);
    load->owner = owner;
    load->events = *events;
    load->job = pv_job_new ();
    load->spec = pv_source_spec_copy (request->spec);
    load->read = request->read;
    load->follow = request->follow != NULL ? pv_follow_ref (request->follow) : NULL;
    load->is_growing = request->is_growing;
    load->profile = request->profile != NULL ? pv_profile_ref (request->profile) : NULL;
    load->symbols = pv_symbol_options_copy (request->symbols);
    load->question = request->question;
    load->progress_source = g_timeout_add (PROGRESS_INTERVAL_MS, show_progress, load);
    g_task_set_task_data (gtask, g_atomic_rc_box_acquire (load), load_job_unref);
    g_task_set_priority (gtask, G_PRIORITY_DEFAULT);
    g_task_run_in_thread (gtask, run);
    return load;
}

const PvSourceSpec *
pv_load_job_get_spec (const PvLoadJob *load)
{
    return load->spec;
}

void
pv_load_job_cancel (PvLoadJob *load)
{
    pv_job_cancel (load->job);
}

void
pv_load_job_close (PvLoadJob *load)
{
    pv_job_cancel (load->job);
    g_clear_handle_id (&load->progress_source, g_source_remove);
    load->owner = NULL;
    load_job_unref (load);
}
