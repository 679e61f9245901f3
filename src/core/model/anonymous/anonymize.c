/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/anonymous/anonymize.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "core/model/profile/rows.h"
#include "core/model/profile/store.h"

enum { KEY_BYTES = 32, MIN_DIGITS = 8, HASH_DIGITS = 64 };

/* First letter of a pseudonym, by the kind of its name. */
#define OF_FUNCTION "f"
#define OF_FILE     "s"
#define OF_MODULE   "m"
#define OF_PROCESS  "p"
#define OF_THREAD   "t"
#define OF_HOST     "h"
#define OF_VALUE    "v"
#define OF_EVENT    "e"

typedef struct {
    PvStore *store;
    PvArena *arena;
    uint8_t key[KEY_BYTES];
    GHashTable *pseudonyms; /* "f" and the name -> its pseudonym, in the store */
    GHashTable *taken;      /* pseudonyms: no two names have the same one */
} Anonymizing;

static void
make_key (uint8_t *key)
{
    size_t n = 0;
    while (n < KEY_BYTES) {
        ssize_t n_new = getrandom (key + n, KEY_BYTES - n, 0);
        if (n_new > 0)
            n += (size_t)n_new;
        else /* interrupted */
            g_usleep (1000);
    }
}

/* The shortest one that nothing else has. */
static const char *
make_pseudonym (Anonymizing *self, const char *of, const char *name)
{
    g_autofree char *hash =
        g_compute_hmac_for_string (G_CHECKSUM_SHA256, self->key, KEY_BYTES, name, -1);
    const char *pseudonym = NULL;
    for (int n = MIN_DIGITS; n <= HASH_DIGITS && pseudonym == NULL; n += 4) {
        g_autofree char *text = g_strdup_printf ("%s_%.*s", of, n, hash);
        if (g_hash_table_contains (self->taken, text))
            continue;
        PvInterner *strings = self->store->strings;
        pseudonym = pv_interner_get (strings, pv_interner_add (strings, text));
    }
    g_hash_table_add (self->taken, (void *)pseudonym);
    return pseudonym;
}

/* NULL and "" stay what they are. */
static const char *
hide (Anonymizing *self, const char *of, const char *name)
{
    if (name == NULL || *name == '\0')
        return name != NULL ? "" : NULL;
    g_autofree char *key = g_strconcat (of, name, NULL);
    const char *known = g_hash_table_lookup (self->pseudonyms, key);
    if (known != NULL)
        return known;
    const char *pseudonym = make_pseudonym (self, of, name);
    g_hash_table_insert (self->pseudonyms, g_steal_pointer (&key), (void *)pseudonym);
    return pseudonym;
}

/* Probes bear the names of functions and files that they are in. */
static bool
has_probe (const char *events)
{
    return events != NULL && (strstr (events, "probe") != NULL || strstr (events, "sdt") != NULL ||
                              strchr (events, '/') != NULL);
}

static const char *
hide_event (Anonymizing *self, const char *name)
{
    return has_probe (name) ? hide (self, OF_EVENT, name) : name;
}

/* --- tables --- */

#define COPY_ROWS(self, profile, table, n_rows)                                                    \
    pv_arena_memdup ((self)->arena, (profile)->table, (n_rows) * sizeof *(profile)->table)

static void
hide_facts (Anonymizing *self, PvProfile *profile)
{
    const PvFacts *facts = &profile->facts;
    profile->facts = (PvFacts){
        .format = facts->format,
        .command = hide (self, OF_PROCESS, facts->command),
        .host = hide (self, OF_HOST, facts->host),
        .arch = facts->arch,
        .cpu = facts->cpu,
        .call_graph = facts->call_graph,
        .events = has_probe (facts->events) ? NULL : facts->events,
        .n_cpus = facts->n_cpus,
        .memory_bytes = facts->memory_bytes,
        .recorded_at = facts->recorded_at,
        .modified_at = facts->modified_at,
        .modified_at_ns = facts->modified_at_ns,
        .recorded_at_ns = facts->recorded_at_ns,
        .profiled_ns = facts->profiled_ns,
        .size_bytes = facts->size_bytes,
        .period = facts->period,
    };
}

static void
hide_modules (Anonymizing *self, PvProfile *profile)
{
    PvModule *modules = COPY_ROWS (self, profile, modules, profile->n_modules);
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        const PvModule *module = &profile->modules[m];
        modules[m] = (PvModule){
            .path = hide (self, OF_MODULE, module->path),
            .name = hide (self, OF_MODULE, module->path),
            .kind = module->kind,
            .address_kind = PV_ADDRESS_ORDINAL,
            .is_kernel = module->is_kernel,
            .is_main = module->is_main,
        };
    }
    profile->modules = modules;
}

/* Locations are numbered, in place of addresses. */
static void
hide_locations (Anonymizing *self, PvProfile *profile)
{
    uint64_t *addresses = pv_arena_alloc0 (self->arena, profile->n_locations * sizeof *addresses);
    uint8_t *kinds = pv_arena_alloc0 (self->arena, profile->n_locations);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        addresses[l] = l;
        kinds[l] = PV_LOCATION_NAMED;
    }
    profile->address_of_location = addresses;
    profile->kind_of_location = kinds;
    profile->given_of_location = NULL;
    profile->given_frames = NULL;
}

/* The arguments of events are left out, as they may be anything. */
static void
hide_sets (Anonymizing *self, PvProfile *profile)
{
    PvSampleSet *sets = COPY_ROWS (self, profile, sets, profile->n_sets);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        sets[s].name = hide_event (self, sets[s].name);
        sets[s].fields = NULL;
        sets[s].record = NULL;
        sets[s].end_of_record = NULL;
        sets[s].record_bytes = NULL;
    }
    profile->sets = sets;
    PvMeasure *measures = COPY_ROWS (self, profile, measures, profile->n_weights);
    for (PvMeasureId m = 0; m < profile->n_weights; m++)
        measures[m].name = hide_event (self, measures[m].name);
    profile->measures = measures;
}

/* Hides the names of joined files, and of the sides of a comparison. */
static void
hide_files (Anonymizing *self, PvProfile *profile)
{
    PvJoinedFile *joined = COPY_ROWS (self, profile, joined, profile->n_joined);
    for (uint32_t i = 0; i < profile->n_joined; i++)
        joined[i].name = hide (self, OF_FILE, joined[i].name);
    profile->joined = joined;
    if (profile->compared == NULL)
        return;
    PvCompared *compared = COPY_ROWS (self, profile, compared, 1);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        compared->name_of_side[side] = hide (self, OF_FILE, compared->name_of_side[side]);
    /* Files are not found under pseudonyms. */
    compared->n_recorded = 0;
    compared->recorded = NULL;
    compared->recorded_of_location = NULL;
    profile->compared = compared;
}

static const char *
hide_text (void *user, PvNamed names, const char *text)
{
    static const char *const letters[] = {
        [PV_NAMES_FILE] = OF_FILE,
        [PV_NAMES_PROCESS] = OF_PROCESS,
        [PV_NAMES_THREAD] = OF_THREAD,
        [PV_NAMES_VALUE] = OF_VALUE,
    };
    return names == PV_NAMES_NOTHING    ? text
           : names == PV_NAMES_ANYTHING ? ""
                                        : hide (user, letters[names], text);
}

static bool
has_texts (const PvRowMember *members)
{
    for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++)
        if (member->type == PV_MEMBER_TEXT || member->type == PV_MEMBER_NAME ||
            (member->type == PV_MEMBER_ROWS && has_texts (member->rows)))
            return true;
    return false;
}

/* Tables that are nothing but names or sentences are left out. */
static void
hide_tables (Anonymizing *self, PvProfile *profile)
{
    static const bool is_left_out[PV_N_PROFILE_TABLES] = {
        [PV_PROFILE_SOURCES] = true,
        [PV_PROFILE_SUPPRESSIONS] = true,
        [PV_PROFILE_NOTES] = true,
    };
    const PvRowMapping hiding = {hide_text, NULL, self, self->arena};
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++) {
        const PvRowType *type = &pv_row_types[t];
        PvRows *table = &profile->tables[t];
        if (is_left_out[t]) {
            *table = (PvRows){0};
        } else if (has_texts (type->members)) {
            char *rows =
                pv_arena_memdup (self->arena, table->rows, table->n_rows * type->size_bytes);
            for (uint32_t r = 0; r < table->n_rows; r++)
                pv_row_map (rows + r * type->size_bytes, type->members, &hiding);
            table->rows = rows;
        }
    }
}

static void
replace_notes (Anonymizing *self, PvProfile *profile)
{
    PvNote *note = pv_arena_alloc0 (self->arena, sizeof *note);
    note->text = _ ("Names are pseudonyms. Notes about the recording were left out.");
    profile->notes = note;
    profile->n_notes = 1;
}

static PvProfile *
hide_profile (Anonymizing *self, const PvProfile *original)
{
    PvProfile *profile = g_memdup2 (original, sizeof *original);
    profile->ref_count = 1;
    profile->store = pv_store_ref (self->store);
    profile->arena = self->arena;
    profile->named = pv_profile_ref (original);
    if (profile->heap != NULL)
        profile->heap = pv_heap_ref (profile->heap);
    profile->packed_names = NULL;
    profile->drop_frames = profile->keep_frames = NULL;
    hide_facts (self, profile);
    hide_tables (self, profile);
    hide_modules (self, profile);
    hide_locations (self, profile);
    hide_sets (self, profile);
    hide_files (self, profile);
    replace_notes (self, profile);
    return profile;
}

/* --- names --- */

static PvSymbolTable *
hide_symbols (Anonymizing *self, const PvSymbolTable *original)
{
    size_t n_frames = 0;
    for (PvLocationId l = 0; l < original->n_locations; l++)
        n_frames = MAX (n_frames, (size_t)original->first_frame_of_location[l] +
                                      original->n_frames_of_location[l]);
    PvSymbolTable *table = g_memdup2 (original, sizeof *original);
    table->owners = NULL;
    PvFunction *functions =
        g_memdup2 (original->functions, original->n_functions * sizeof (PvFunction));
    for (PvFunctionId f = 1; f < table->n_functions; f++) {
        PvFunction *function = &functions[f];
        function->name = hide (self, OF_FUNCTION, function->name);
        function->short_name = function->label = function->raw_name = function->name;
        function->file = hide (self, OF_FILE, function->file);
    }
    /* There may be none, but a pointer to them there must be. */
    PvFrame *frames = g_new (PvFrame, n_frames + 1);
    if (n_frames > 0)
        memcpy (frames, original->frames, n_frames * sizeof *frames);
    for (size_t i = 0; i < n_frames; i++)
        frames[i].file = hide (self, OF_FILE, frames[i].file);
    table->ref_count = 1;
    table->functions = functions;
    table->first_frame_of_location =
        g_memdup2 (original->first_frame_of_location, original->n_locations * sizeof (uint32_t));
    table->n_frames_of_location =
        g_memdup2 (original->n_frames_of_location, original->n_locations * sizeof (uint16_t));
    pv_store_take (self->store, frames);
    table->frames = frames;
    table->symbols_of_module = g_memdup2 (original->symbols_of_module, original->n_modules);
    table->file_of_module = g_new0 (const char *, MAX (original->n_modules, 1));
    table->links_of_module = NULL;
    table->n_notes = 0;
    table->notes = NULL;
    table->fates = g_memdup2 (original->fates, original->n_fates * sizeof (PvFate));
    table->store = pv_store_ref (self->store);
    table->named = pv_symbol_table_ref (original);
    return table;
}

void
pv_anonymize (const PvProfile *profile, const PvSymbolTable *symbols, PvProfile **ret_profile,
              PvSymbolTable **ret_symbols)
{
    g_assert (profile != NULL && symbols != NULL);
    Anonymizing self = {
        .store = pv_store_new (),
        .arena = pv_arena_new (),
        .pseudonyms = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
        .taken = g_hash_table_new (g_str_hash, g_str_equal),
    };
    make_key (self.key);
    *ret_profile = hide_profile (&self, profile);
    *ret_symbols = hide_symbols (&self, symbols);
    explicit_bzero (self.key, KEY_BYTES);
    g_hash_table_unref (self.pseudonyms);
    g_hash_table_unref (self.taken);
    pv_interner_seal (self.store->strings);
    pv_store_unref (self.store);
}
