/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/firefox/firefox-places.h"

#include <string.h>

#include "core/read/firefox/firefox-text.h"
#include "core/read/text/text.h"

enum { STEPS_PER_CHECK = 4096 };

void
firefox_places_init (FirefoxPlaces *places, FirefoxFile *file)
{
    g_assert (places != NULL && file != NULL);
    *places = (FirefoxPlaces){.file = file};
    pv_array_push (&places->frames, (FirefoxFrame){0});
    pv_array_push (&places->location_of, 0);
}

void
firefox_places_clear (FirefoxPlaces *places)
{
    g_assert (places != NULL);
    pv_hash_map_clear (&places->modules);
    pv_hash_map_clear (&places->chain_of_frame);
    pv_array_clear (&places->frames);
    pv_array_clear (&places->location_of);
    pv_array_clear (&places->given);
    pv_array_clear (&places->given_of_string);
}

static uint64_t
count_bytes (const FirefoxPlaces *places)
{
    return pv_profile_builder_count_bytes (places->file->builder) +
           places->frames.cap * sizeof (FirefoxFrame) +
           places->location_of.cap * sizeof (PvLocationId) +
           places->given_of_string.cap * sizeof (FirefoxGiven) +
           ((uint64_t)places->chain_of_frame.mask + 1) * sizeof (PvHashSlot);
}

bool
firefox_go_on (FirefoxPlaces *places)
{
    g_assert (places != NULL);
    const PvReadContext *context = places->file->context;
    if (++places->n_steps % STEPS_PER_CHECK != 0)
        return !places->is_full;
    if (pv_job_is_cancelled (context->job))
        return false;
    uint64_t read_bytes = pv_json_get_position (places->file->json);
    places->is_full |= count_bytes (places) > pv_budget_get_bytes (&context->budget, read_bytes);
    return !places->is_full;
}

/* --- modules --- */

static PvModuleKind
find_kind (const char *name, const char *path)
{
    if (g_str_has_prefix (name, "[kernel") || g_str_has_prefix (name, "[guest.kernel"))
        return PV_MODULE_KERNEL;
    if (name[0] == '[' && strstr (path, ".ko") != NULL)
        return PV_MODULE_KERNEL_MODULE;
    return strcmp (name, "[vdso]") == 0 ? PV_MODULE_VDSO : PV_MODULE_FILE;
}

/* True if a process has the same name as the library. */
static bool
is_program (const FirefoxFile *file, PvStringId name)
{
    for (size_t p = 0; p < file->profiles.len; p++)
        for (size_t t = 0; t < file->profiles.data[p]->threads.len; t++)
            if (file->profiles.data[p]->threads.data[t].process_name == name && name != 0)
                return true;
    return false;
}

static PvModuleId
add_library (FirefoxPlaces *places, const FirefoxLibrary *library)
{
    PvInterner *interner = places->file->interner;
    const char *name = pv_interner_get (interner, library->name);
    const char *path = pv_interner_get (interner, library->path);
    const char *code_id = pv_interner_get (interner, library->code_id);
    if (*path == '\0') /* in the oldest versions the name is the path */
        path = name;
    PvModule module = {
        .path = path,
        .name = *name != '\0' && strchr (name, '/') == NULL ? name : NULL,
        .kind = find_kind (name, path),
        .address_kind = PV_ADDRESS_IMAGE,
    };
    module.is_kernel = module.kind == PV_MODULE_KERNEL || module.kind == PV_MODULE_KERNEL_MODULE;
    module.is_main = module.kind == PV_MODULE_FILE && is_program (places->file, library->name);
    if (code_id[strspn (code_id, "0")] != '\0') /* zeros: unknown */
        pv_text_set_build_id (pv_text_of (code_id), &module);
    return pv_profile_builder_add_module (places->file->builder, &module);
}

PvModuleId
firefox_get_library (FirefoxPlaces *places, const FirefoxLibrary *library)
{
    g_assert (places != NULL && library != NULL);
    const PvStringId key[] = {library->path, library->name, library->code_id, library->debug_id};
    uint32_t *slot = pv_hash_map_slot (&places->modules, pv_hash_bytes (key, sizeof key, 0));
    if (*slot == 0)
        *slot = add_library (places, library);
    return *slot;
}

PvModuleId
firefox_get_other_module (FirefoxPlaces *places, const char *name, bool is_js)
{
    g_assert (places != NULL && name != NULL);
    uint32_t *slot =
        pv_hash_map_slot (&places->modules, pv_hash_bytes (name, strlen (name), is_js ? 1 : 2));
    if (*slot == 0) {
        PvModule module = {
            .path = "",
            .name = *name != '\0' ? name
                    : is_js       ? "JavaScript"
                                  : "[unknown]",
            .kind = is_js ? PV_MODULE_JIT : PV_MODULE_UNKNOWN,
            .address_kind = PV_ADDRESS_ORDINAL,
        };
        *slot = pv_profile_builder_add_module (places->file->builder, &module);
    }
    return *slot;
}

/* --- locations --- */

uint32_t
firefox_get_chain (FirefoxPlaces *places, const FirefoxFrame *frame)
{
    g_assert (places != NULL && frame != NULL);
    uint32_t *slot =
        pv_hash_map_slot (&places->chain_of_frame, pv_hash_bytes (frame, sizeof *frame, 0));
    if (*slot == 0) {
        *slot = (uint32_t)places->frames.len;
        pv_array_push (&places->frames, *frame);
        pv_array_push (&places->location_of, 0);
    }
    return *slot;
}

static FirefoxGiven *
get_given (FirefoxPlaces *places, PvStringId string)
{
    if (string >= places->given_of_string.len)
        pv_array_resize (&places->given_of_string, pv_interner_get_count (places->file->interner));
    return &places->given_of_string.data[string];
}

/* Many frames are of one function, and many functions of one file. */
static const char *
give_text (FirefoxPlaces *places, PvStringId string)
{
    FirefoxGiven *given = get_given (places, string);
    if (given->text == NULL)
        given->text = pv_profile_builder_string (places->file->builder,
                                                 pv_interner_get (places->file->interner, string));
    return given->text;
}

static const char *
give_path (FirefoxPlaces *places, PvStringId string)
{
    FirefoxGiven *given = get_given (places, string);
    if (given->path == NULL) {
        g_autofree char *path =
            firefox_shorten_path (pv_interner_get (places->file->interner, string));
        given->path = pv_profile_builder_string (places->file->builder, path);
    }
    return given->path;
}

static void
push_given (FirefoxPlaces *places, const FirefoxFrame *frame)
{
    const char *name = give_text (places, frame->name);
    PvGivenFrame given = {
        .name = name,
        .file = give_path (places, frame->file),
        .line = frame->line,
        .start_line = frame->start_line,
        .is_unknown = firefox_is_without_name (name),
    };
    pv_array_push (&places->given, given);
}

static PvLocationId
add_location (FirefoxPlaces *places, uint32_t chain)
{
    PvProfileBuilder *builder = places->file->builder;
    const FirefoxFrame *frame = &places->frames.data[chain];
    if (frame->is_bare)
        return pv_profile_builder_location (builder, frame->module, frame->address,
                                            (PvLocationKind)frame->kind);
    uint64_t address = frame->kind == PV_LOCATION_NAMED ? places->ordinal++ : frame->address;
    PvLocationId location = pv_profile_builder_add_location (builder, frame->module, address,
                                                             (PvLocationKind)frame->kind);
    places->given.len = 0;
    for (uint32_t c = chain; c != 0 && places->given.len < UINT16_MAX;
         c = places->frames.data[c].outer)
        push_given (places, &places->frames.data[c]);
    pv_profile_builder_give_frames (builder, location, places->given.data,
                                    (uint32_t)places->given.len);
    return location;
}

PvLocationId
firefox_get_location (FirefoxPlaces *places, uint32_t chain)
{
    g_assert (places != NULL && chain > 0 && chain < places->frames.len);
    if (places->location_of.data[chain] == 0)
        places->location_of.data[chain] = add_location (places, chain);
    return places->location_of.data[chain];
}
