/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mappings at the end of a profile. A line is one of
 *   START-END PERMS OFFSET DEVICE INODE PATH     /proc/PID/maps
 *   START-END: FILE (@OFFSET) BUILDID            brief, the last two may be missing
 *   START END N N OBJECT PERMS ... vnode PATH    FreeBSD's /proc/curproc/map
 *   NAME=VALUE                                   from here on $NAME stands for VALUE
 */
#include "core/read/legacy/legacy-map.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/path.h"
#include "core/model/profile/recorded-with.h"

#define MAX_VARIABLES  64u
#define MAX_PATH_BYTES 65536u
/* Limits the text inserted for variables in all paths, as short lines may stand for long texts. */
#define MAX_REPLACED_BYTES ((size_t)64 << 20)

/* A parsed line. */
typedef struct {
    uint64_t start, end;
    uint64_t file_offset;
    uint64_t inode; /* 0: unknown */
    PvText path;
    PvText build_id;
    bool has_offset;
    bool is_executable;
    bool is_shared; /* with other mappings */
} MapLine;

void
legacy_map_init (LegacyMap *map, PvProfileBuilder *builder, int32_t pid)
{
    *map = (LegacyMap){
        .builder = builder, .space = pv_address_space_new (), .pid = pid, .is_empty = true};
}

void
legacy_map_clear (LegacyMap *map)
{
    pv_address_space_free (map->space);
    pv_id_map_clear (&map->module_of_path);
    for (size_t i = 0; i < map->variables.len; i++) {
        g_free (map->variables.data[i].name);
        g_free (map->variables.data[i].value);
    }
    pv_array_clear (&map->variables);
}

/* Lines */

/* A program that logs its map writes "I0203 main.cc:12] " before each line. */
static void
skip_log_prefix (PvText *line)
{
    const char *bracket = pv_text_find_char (*line, ']');
    if (bracket == NULL || bracket == line->at || memchr (line->at, '[', bracket - line->at))
        return;
    const char *digits = bracket;
    while (digits > line->at && g_ascii_isdigit (digits[-1]))
        digits--;
    bool is_prefix = digits < bracket && digits > line->at && digits[-1] == ':';
    if (is_prefix && bracket + 1 < line->end && g_ascii_isspace (bracket[1]))
        line->at = bracket + 1;
}

static bool
take_permissions (PvText *line, MapLine *map_line)
{
    PvText rest = *line, token;
    if (!legacy_take_token (&rest, &token) || pv_text_len (token) < 3 || pv_text_len (token) > 5)
        return false;
    for (const char *c = token.at; c < token.end; c++)
        if (strchr ("-rwxps", *c) == NULL)
            return false;
    map_line->is_executable = pv_text_find_char (token, 'x') != NULL;
    map_line->is_shared = pv_text_find_char (token, 's') != NULL;
    *line = rest;
    return true;
}

/* "OFFSET DEVICE INODE" of /proc/PID/maps. */
static bool
take_place (PvText *line, uint64_t *ret_offset, uint64_t *ret_inode)
{
    PvText rest = *line, device;
    uint64_t offset, inode;
    if (!legacy_take_hex (&rest, &offset) || !legacy_take_token (&rest, &device) ||
        pv_text_find_char (device, ':') == NULL || !legacy_take_decimal (&rest, &inode))
        return false;
    *ret_offset = offset;
    *ret_inode = inode;
    *line = rest;
    return true;
}

static bool
is_build_id (PvText word)
{
    size_t len = pv_text_len (word);
    if (len < 16 || len > 2 * PV_BUILD_ID_MAX || len % 2 != 0)
        return false;
    for (const char *c = word.at; c < word.end; c++)
        if (!g_ascii_isxdigit (*c))
            return false;
    return true;
}

/* "FILE (@OFFSET) BUILDID" */
static void
take_brief (PvText rest, MapLine *map_line)
{
    static const char mark[] = "(@";
    const char *at = pv_text_find (rest, mark);
    if (at != NULL) {
        PvText tail = {at + strlen (mark), rest.end};
        map_line->has_offset =
            legacy_take_hex (&tail, &map_line->file_offset) && pv_text_take_next (&tail, ")");
        map_line->path = pv_text_trim ((PvText){rest.at, at});
        tail = pv_text_trim (tail);
        if (is_build_id (tail))
            map_line->build_id = tail;
        return;
    }
    map_line->path = pv_text_trim (rest);
    const char *space = pv_text_find_last (map_line->path, ' ');
    if (space == NULL || !is_build_id ((PvText){space + 1, map_line->path.end}))
        return;
    map_line->build_id = (PvText){space + 1, map_line->path.end};
    map_line->path = pv_text_trim ((PvText){map_line->path.at, space});
}

/* Takes what follows "START END" on FreeBSD: "RESIDENT PRIVATE OBJECT PERMS REFERENCES SHADOWS
 * FLAGS COPY NEEDCOPY TYPE PATH", and possibly more. */
static bool
take_freebsd (PvText rest, MapLine *map_line)
{
    uint64_t number;
    PvText token;
    if (!legacy_take_decimal (&rest, &number) || !legacy_take_decimal (&rest, &number) ||
        !legacy_take_hex (&rest, &number) || !take_permissions (&rest, map_line))
        return false;
    bool is_file = false;
    for (unsigned i = 0; i < 6 && !is_file; i++)
        is_file = legacy_take_token (&rest, &token) && pv_text_equals (token, "vnode");
    if (is_file)
        legacy_take_token (&rest, &map_line->path);
    return true;
}

static bool
parse_line (PvText line, MapLine *ret)
{
    MapLine map_line = {.is_executable = true, .path = {line.end, line.end}};
    skip_log_prefix (&line);
    if (!legacy_take_hex (&line, &map_line.start) || line.at == line.end ||
        (*line.at != '-' && *line.at != ' '))
        return false;
    bool has_dash = *line.at == '-';
    line.at += has_dash;
    if (!legacy_take_hex (&line, &map_line.end))
        return false;
    if (!has_dash && take_freebsd (line, &map_line)) {
        *ret = map_line;
        return true;
    }
    bool has_colon = line.at < line.end && *line.at == ':';
    line.at += has_colon;
    if (line.at < line.end && *line.at != ' ' && *line.at != '\t')
        return false;
    bool has_permissions = take_permissions (&line, &map_line);
    map_line.has_offset =
        has_permissions && take_place (&line, &map_line.file_offset, &map_line.inode);
    if (map_line.has_offset)
        map_line.path = pv_text_trim (line);
    else if (has_dash)
        take_brief (line, &map_line);
    *ret = map_line;
    return has_dash;
}

/* Variables */

static void
take_variable (LegacyMap *map, PvText line)
{
    const char *sign = pv_text_find_char (line, '=');
    PvText name = pv_text_trim ((PvText){line.at, sign != NULL ? sign : line.at});
    if (pv_text_len (name) == 0 || map->variables.len == MAX_VARIABLES ||
        pv_text_len (line) > MAX_PATH_BYTES)
        return;
    PvText value = pv_text_trim ((PvText){sign + 1, line.end});
    LegacyVariable variable = {
        .name = g_strdup_printf ("$%.*s", (int)pv_text_len (name), name.at),
        .value = pv_text_copy (value),
    };
    pv_array_push (&map->variables, variable);
}

static const LegacyVariable *
find_variable (const LegacyMap *map, PvText text)
{
    for (size_t i = 0; i < map->variables.len; i++)
        if (pv_text_begins (text, map->variables.data[i].name))
            return &map->variables.data[i];
    return NULL;
}

/* The path with variables replaced, as a string of the builder. */
static const char *
get_path (LegacyMap *map, PvText text)
{
    g_autoptr (GString) path = g_string_new (NULL);
    while (text.at < text.end && path->len < MAX_PATH_BYTES) {
        bool may_replace = *text.at == '$' && map->replaced_bytes < MAX_REPLACED_BYTES;
        const LegacyVariable *variable = may_replace ? find_variable (map, text) : NULL;
        map->replaced_bytes += variable != NULL ? strlen (variable->value) : 0;
        g_string_append_len (path, variable != NULL ? variable->value : text.at,
                             variable != NULL ? (gssize)strlen (variable->value) : 1);
        text.at += variable != NULL ? strlen (variable->name) : 1;
    }
    return pv_profile_builder_string_len (map->builder, path->str, path->len);
}

/* Modules */

static bool
is_shared_library (const char *path)
{
    for (const char *at = strstr (path, ".so"); at != NULL; at = strstr (at + 1, ".so"))
        if (at[3] == '\0' || ((at[3] == '.' || at[3] == '_') && at[4] >= '0' && at[4] <= '9'))
            return true;
    return false;
}

/* Code without a file. Memory for generated code that is in a memfd is shared with a mapping
 * through which it is written, programs in one are mapped as from any file. */
static bool
is_anonymous (const char *path, const MapLine *map_line)
{
    static const char *const prefixes[] = {
        "//anon", "/anon_hugepage", "/dev/zero", "/dev/dri/", "[heap]", "[stack", "[anon",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (path, prefixes[i]))
            return true;
    return *path == '\0' || (pv_path_is_memfd (path) && map_line->is_shared);
}

static PvModuleId
add_module (LegacyMap *map, const char *path, const MapLine *map_line)
{
    bool is_vdso = g_str_has_prefix (path, "[vdso") || g_str_has_prefix (path, "linux-vdso") ||
                   g_str_has_prefix (path, "linux-gate");
    bool is_file = !is_vdso && *path != '[';
    g_autofree char *name = pv_path_is_memfd (path) ? pv_path_name_memfd (path) : NULL;
    PvModule module = {
        .path = is_vdso ? "[vdso]" : path,
        .name = name,
        .kind = is_vdso   ? PV_MODULE_VDSO
                : is_file ? PV_MODULE_FILE
                          : PV_MODULE_UNKNOWN, /* "[vsyscall]" */
        .address_kind = is_vdso || is_file ? PV_ADDRESS_FILE_OFFSET : PV_ADDRESS_RUNTIME,
        .is_main = is_file && map->main_module == 0 && !is_shared_library (path),
        .load_addr = map_line->start,
        .identity.inode = is_file ? map_line->inode : 0,
    };
    pv_text_set_build_id (map_line->build_id, &module);
    PvModuleId id = pv_profile_builder_add_module (map->builder, &module);
    if (module.is_main)
        map->main_module = id;
    return id;
}

static PvModuleId
get_module (LegacyMap *map, const char *path, const MapLine *map_line)
{
    PvModuleId *id = pv_id_map_slot (&map->module_of_path, (uint64_t)(uintptr_t)path);
    if (*id == 0)
        *id = add_module (map, path, map_line);
    PvModule *module = pv_profile_builder_module (map->builder, *id);
    module->load_addr = MIN (module->load_addr, map_line->start);
    module->end_addr = MAX (module->end_addr, map_line->end);
    return *id;
}

static PvModuleId
get_jit_module (LegacyMap *map)
{
    if (map->jit_module == 0) {
        char path[40];
        g_snprintf (path, sizeof path, "/tmp/perf-%d.map", map->pid);
        PvModule module = {
            .path = path,
            .name = "[JIT]",
            .kind = PV_MODULE_JIT,
            .address_kind = PV_ADDRESS_RUNTIME,
            .pid = map->pid,
            .container_pid = map->pid,
        };
        map->jit_module = pv_profile_builder_add_module (map->builder, &module);
    }
    return map->jit_module;
}

static const char *
cut_deleted (LegacyMap *map, const char *path, const MapLine *map_line)
{
    size_t len = pv_path_get_plain_len (path);
    if (path[len] == '\0')
        return path;
    path = pv_profile_builder_string_len (map->builder, path, len);
    if (!is_anonymous (path, map_line) && *path != '[' && !pv_path_is_memfd (path))
        pv_profile_builder_note (map->builder, PV_NOTE_WARNING, PV_NOTE_CHANGED_BINARY, 0,
                                 _ ("%s was deleted or replaced before the profile was written. "
                                    "Names may be wrong if a different file is there now."),
                                 path);
    return path;
}

/* Mappings */

/* The mapping's offset in the file. Brief lines omit it if it is 0 or the mapping continues the
 * previous one. */
static uint64_t
get_file_offset (const LegacyMap *map, const MapLine *map_line, const char *path,
                 const PvModule *module)
{
    if (module->address_kind == PV_ADDRESS_RUNTIME)
        return map_line->start;
    if (module->kind == PV_MODULE_VDSO)
        return 0;
    if (!map_line->has_offset && map->last_path == path && map->last.end == map_line->start)
        return map->last.file_offset + (map->last.end - map->last.start);
    return map_line->file_offset;
}

/* Programs that copy their own code into large pages have it in a mapping without the file's name,
 * just before the rest of the file. Other memory there is the file's code if the file goes on
 * before it, too. */
static bool
is_moved_code (const LegacyMap *map, const PvMapping *mapping, const char *path)
{
    uint64_t size_bytes = map->last.end - map->last.start;
    const PvMapping *before = &map->before;
    if (!map->is_last_anonymous || map->last.end != mapping->start ||
        mapping->file_offset < size_bytes)
        return false;
    return g_str_has_prefix (map->last_path, "/anon_hugepage") ||
           (map->before_path == path && before->end == map->last.start &&
            mapping->file_offset - before->file_offset == mapping->start - before->start);
}

static void
add_data (LegacyMap *map, const MapLine *map_line)
{
    if (!map_line->has_offset || map_line->file_offset != 0)
        return;
    const char *path = get_path (map, map_line->path);
    g_autofree char *plain = g_strndup (path, pv_path_get_plain_len (path));
    pv_link_bases_take_data (&map->link_bases, map_line->start, map_line->file_offset, plain);
}

static void
add_mapping (LegacyMap *map, const MapLine *map_line)
{
    const char *path = cut_deleted (map, get_path (map, map_line->path), map_line);
    PvMapping mapping = {map_line->start, map_line->end, map_line->file_offset, 0};
    bool is_without_file = is_anonymous (path, map_line);
    map->is_empty = false;
    if (!is_without_file) {
        mapping.module = get_module (map, path, map_line);
        mapping.file_offset = get_file_offset (
            map, map_line, path, pv_profile_builder_module (map->builder, mapping.module));
        if (is_moved_code (map, &mapping, path)) {
            mapping.file_offset -= map->last.end - map->last.start;
            mapping.start = map->last.start;
        }
        if (map_line->has_offset)
            pv_link_bases_take_code (&map->link_bases, map->builder, mapping.start,
                                     mapping.file_offset, path, mapping.module);
    } else if (map->pid > 0) {
        mapping.module = get_jit_module (map);
        mapping.file_offset = mapping.start;
    }
    if (mapping.module != 0)
        pv_address_space_add (map->space, &mapping);
    map->before = map->last;
    map->before_path = map->last_path;
    map->last = mapping;
    map->last_path = path;
    map->is_last_anonymous = is_without_file;
}

bool
legacy_take_recorded_with (PvProfileBuilder *builder, PvText line)
{
    PvFacts *facts = pv_profile_builder_facts (builder);
    if (!pv_text_begins (line, "#"))
        return false;
    g_autofree char *command = pv_recorded_with_find (line.at, pv_text_len (line));
    if (command != NULL && facts->recorded_with == NULL)
        facts->recorded_with = pv_profile_builder_string (builder, command);
    return command != NULL;
}

/* Takes a line of a map in any of its forms; ignores other lines. */
static void
add_line (LegacyMap *map, PvText line)
{
    MapLine map_line;
    if (legacy_take_recorded_with (map->builder, line))
        return;
    if (!parse_line (line, &map_line))
        take_variable (map, line);
    else if (map_line.end > map_line.start && map_line.is_executable)
        add_mapping (map, &map_line);
    else if (map_line.end > map_line.start)
        add_data (map, &map_line);
}

void
legacy_map_add_lines (LegacyMap *map, PvText text)
{
    PvText line;
    while (pv_text_next_trimmed (&text, &line))
        add_line (map, line);
}

bool
legacy_map_split (PvText *text, PvText *ret_map)
{
    static const char *const marks[] = {"MAPPED_LIBRARIES:", "--- Memory map: ---"};
    const char *found = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (marks); i++) {
        const char *at = pv_text_find (*text, marks[i]);
        if (at != NULL && (found == NULL || at < found))
            found = at;
    }
    *ret_map = (PvText){text->end, text->end};
    if (found == NULL)
        return false;
    const char *newline = memrchr (text->at, '\n', (size_t)(found - text->at));
    const char *line_end = memchr (found, '\n', (size_t)(text->end - found));
    ret_map->at = line_end != NULL ? line_end + 1 : text->end;
    text->end = newline != NULL ? newline + 1 : text->at;
    return true;
}
