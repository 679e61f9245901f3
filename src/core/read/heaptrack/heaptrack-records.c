/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The descriptive lines: strings, modules, addresses, traces, and facts about the recording. A
 * damaged line of a numbered kind adds an empty entry, so that later lines keep their numbers. An
 * index must refer to an earlier line; 0 means no entry.
 */
#include "core/read/heaptrack/heaptrack-records.h"

#include <string.h>

#include "core/base/path.h"
#include "core/model/profile/recorded-with.h"
#include "core/read/heaptrack/heaptrack-hex.h"

/* Approximate memory use of entries in our tables and the builder's. */
#define STRING_COST   64u
#define TRACE_COST    64u
#define SITE_COST     512u
#define ADDRESS_COST  96u
#define MAPPING_COST  64u
#define MAX_PAGE_SIZE (UINT64_C (1) << 30)
#define MAX_RELATIVE  4096u /* modules with relative paths that are looked for */

/* The fields of one line. */
typedef struct {
    const char *at;
    const char *end;      /* the line feed */
    const char *text_end; /* limit for strings with line feeds in them */
} Fields;

static inline bool
has_more (const Fields *fields)
{
    return fields->at < fields->end;
}

static bool
take_hex (Fields *fields, uint64_t *ret_value)
{
    const char *end = heaptrack_parse_hex (fields->at, ret_value);
    if (end == fields->at || (*end != ' ' && *end != '\n'))
        return false;
    fields->at = end + (*end == ' ');
    return true;
}

/* Takes "LEN TEXT". Older files have the text up to the next space or, if is_rest, the line's end.
 */
static bool
take_string (HeaptrackSession *session, Fields *fields, bool is_rest, const char **ret_text,
             size_t *ret_len)
{
    if (session->version < 3) {
        const char *end =
            is_rest ? NULL : memchr (fields->at, ' ', (size_t)(fields->end - fields->at));
        end = end != NULL ? end : fields->end;
        *ret_text = fields->at;
        *ret_len = (size_t)(end - fields->at);
        fields->at = end + (end < fields->end);
        return true;
    }
    uint64_t len;
    if (!take_hex (fields, &len) || fields->at[-1] != ' ' ||
        len >= (size_t)(fields->text_end - fields->at))
        return false;
    const char *end = fields->at + len;
    if (*end != ' ' && *end != '\n')
        return false;
    *ret_text = fields->at;
    *ret_len = (size_t)len;
    if (end > fields->end)
        fields->end = memchr (end, '\n', (size_t)(fields->text_end - end));
    fields->at = end + (*end == ' ');
    return true;
}

static void
use_memory (HeaptrackSession *session, uint64_t size_bytes)
{
    session->used_bytes += size_bytes;
}

/* Lines of one kind of file are invalid in the other. */
static bool
must_be (HeaptrackSession *session, HeaptrackKind kind)
{
    if (session->kind == HEAPTRACK_UNDECIDED)
        heaptrack_decide (session, kind);
    return session->kind == kind;
}

/* Facts */

static bool
take_version (HeaptrackSession *session, Fields *fields)
{
    uint64_t program, version;
    if (!take_hex (fields, &program))
        return false;
    session->has_second_version = session->has_version;
    if (session->has_version || session->kind != HEAPTRACK_UNDECIDED)
        return false;
    if (!has_more (fields))
        version = program == 0x10200 ? 1 : 0;
    else if (!take_hex (fields, &version))
        return false;
    session->has_version = true;
    session->program_version = program;
    session->version = (uint32_t)MIN (version, UINT32_MAX);
    g_autofree char *recorder =
        g_strdup_printf ("heaptrack %u.%u.%u", (unsigned)(program >> 16 & 0xffff),
                         (unsigned)(program >> 8 & 0xff), (unsigned)(program & 0xff));
    pv_profile_builder_facts (session->builder)->recorder =
        pv_profile_builder_string (session->builder, recorder);
    return true;
}

static bool
take_command (HeaptrackSession *session, const Fields *fields)
{
    size_t len = (size_t)(fields->end - fields->at);
    while (len > 0 && fields->at[len - 1] == ' ')
        len--;
    pv_profile_builder_facts (session->builder)->command =
        pv_profile_builder_string_len (session->builder, fields->at, len);
    use_memory (session, len + STRING_COST);
    const char *space = memchr (fields->at, ' ', len);
    session->has_another |= session->has_second_version && session->program != NULL;
    session->program = pv_profile_builder_string_len (
        session->builder, fields->at, space != NULL ? (size_t)(space - fields->at) : len);
    return true;
}

/* Takes a comment; the first one with the recorder's command counts. */
static void
take_remark (HeaptrackSession *session, const char *line, const char *line_end)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    const char *cut = pv_recording_cut_find (line, (size_t)(line_end - line));
    if (cut != NULL)
        session->cut = cut;
    if (facts->recorded_with != NULL)
        return;
    g_autofree char *command = pv_recorded_with_find (line, (size_t)(line_end - line));
    if (command == NULL)
        return;
    facts->recorded_with = pv_profile_builder_string (session->builder, command);
    use_memory (session, strlen (command) + STRING_COST);
}

static bool
take_memory (HeaptrackSession *session, Fields *fields)
{
    uint64_t page_bytes, n_pages;
    if (!take_hex (fields, &page_bytes) || page_bytes == 0 || page_bytes > MAX_PAGE_SIZE)
        return false;
    session->page_bytes = page_bytes;
    if (take_hex (fields, &n_pages) && n_pages <= UINT64_MAX / page_bytes)
        pv_profile_builder_facts (session->builder)->memory_bytes = n_pages * page_bytes;
    return true;
}

/* Since version 3 the text is written with a length, although heaptrack itself does not expect one.
 * Both are accepted. */
static bool
take_suppression (HeaptrackSession *session, Fields *fields)
{
    uint64_t len;
    const char *text = fields->at;
    Fields sized = *fields;
    if (take_hex (&sized, &len) && sized.at[-1] == ' ' && len == (size_t)(sized.end - sized.at))
        text = sized.at;
    const char *end = fields->end;
    while (text < end && g_ascii_isspace (*text))
        text++;
    while (end > text && g_ascii_isspace (end[-1]))
        end--;
    if (text == end || *text == '#')
        return true;
    pv_profile_builder_add_suppression (session->builder, text, (size_t)(end - text));
    use_memory (session, (uint64_t)(end - text) + STRING_COST);
    return true;
}

/* Modules */

/* Raw files have the program's path, others only the name it was started by. */
static bool
is_program (const HeaptrackSession *session, const char *path)
{
    if (session->executable != NULL)
        return strcmp (path, session->executable) == 0;
    return session->program != NULL &&
           strcmp (pv_path_get_base (path), pv_path_get_base (session->program)) == 0;
}

/* The folder in which the program was started, from its path and the command: "/home/me" of
 * "/home/me/bin/app" and "bin/app --fast". NULL: the command does not tell. */
static char *
find_recorder_folder (const HeaptrackSession *session)
{
    const char *path = session->executable;
    const char *command = pv_profile_builder_facts (session->builder)->command;
    if (path == NULL || command == NULL)
        return NULL;
    bool is_relative = g_str_has_prefix (command, "./");
    while (g_str_has_prefix (command, "./"))
        command += strlen ("./");
    /* Words of the command may have spaces in them: the longest end of the path counts. */
    for (const char *slash = strchr (path, '/'); slash != NULL; slash = strchr (slash + 1, '/')) {
        const char *rest = slash + 1;
        size_t len = strlen (rest);
        bool is_found = strncmp (command, rest, len) == 0 &&
                        (command[len] == '\0' || command[len] == ' ') &&
                        (is_relative || strchr (rest, '/') != NULL);
        if (is_found && len > 0)
            return g_strndup (path, MAX ((size_t)(slash - path), 1));
    }
    return NULL;
}

/* Where the file of a module with a relative path is; NULL: not found, or its path is absolute. */
static char *
find_relative (HeaptrackSession *session, const char *path)
{
    const PvReadContext *context = session->context;
    if (*path == '/' || context->find_relative == NULL || session->n_relative == MAX_RELATIVE)
        return NULL;
    session->n_relative++;
    g_autofree char *folder = find_recorder_folder (session);
    return context->find_relative (context->user, path, folder);
}

/* The module of a path, created if it is new. */
static PvModuleId
get_module (HeaptrackSession *session, const char *path, PvAddressKind address_kind)
{
    if (*path == '\0')
        return pv_profile_builder_unknown_module (session->builder, false);
    uint32_t *id = pv_id_map_slot (&session->module_ids, (uint64_t)(uintptr_t)path);
    if (*id == 0) {
        bool is_vdso =
            strcmp (path, "linux-vdso.so.1") == 0 || strcmp (path, "linux-gate.so.1") == 0;
        bool may_be_relative = !is_vdso && address_kind == PV_ADDRESS_LINK;
        g_autofree char *found = may_be_relative ? find_relative (session, path) : NULL;
        PvModule module = {
            .path = is_vdso         ? "[vdso]"
                    : found != NULL ? found
                                    : path,
            .kind = is_vdso ? PV_MODULE_VDSO : PV_MODULE_FILE,
            .address_kind = address_kind,
            .is_main = is_program (session, path),
        };
        *id = pv_profile_builder_add_module (session->builder, &module);
        use_memory (session, sizeof module + STRING_COST);
    }
    return *id;
}

static bool
take_executable (HeaptrackSession *session, Fields *fields)
{
    const char *text;
    size_t len;
    session->has_another |= session->has_second_version && session->executable != NULL;
    if (!must_be (session, HEAPTRACK_RAW) || session->executable != NULL ||
        !take_string (session, fields, true, &text, &len))
        return false;
    /* The kernel adds this to the path of a program that has been replaced. */
    static const char deleted[] = " (deleted)";
    if (len > strlen (deleted) &&
        memcmp (text + len - strlen (deleted), deleted, strlen (deleted)) == 0)
        len -= strlen (deleted);
    session->executable = pv_profile_builder_string_len (session->builder, text, len);
    use_memory (session, len + STRING_COST);
    return true;
}

static void
forget_modules (HeaptrackSession *session)
{
    pv_address_space_free (session->space);
    session->space = pv_address_space_new ();
}

static void
add_segment (HeaptrackSession *session, PvModuleId id, uint64_t bias, uint64_t vaddr,
             uint64_t size_bytes)
{
    PvMapping mapping = {
        .start = bias + vaddr,
        .end = bias + vaddr + size_bytes,
        .file_offset = vaddr,
        .module = id,
    };
    if (mapping.end <= mapping.start)
        return;
    pv_address_space_add (session->space, &mapping);
    use_memory (session, MAPPING_COST);
    PvModule *module = pv_profile_builder_module (session->builder, id);
    if (module->end_addr == 0 || mapping.start < module->load_addr)
        module->load_addr = mapping.start;
    module->end_addr = MAX (module->end_addr, mapping.end);
}

/* Takes "NAME BIAS [VADDR SIZE]...", with a pair for each loaded segment; or "-", which removes all
 * modules. */
static bool
take_module (HeaptrackSession *session, Fields *fields)
{
    const char *name;
    size_t len;
    uint64_t bias, vaddr, size_bytes;
    if (!must_be (session, HEAPTRACK_RAW) || !take_string (session, fields, false, &name, &len))
        return false;
    if (len == 1 && *name == '-') {
        forget_modules (session);
        return true;
    }
    if (!take_hex (fields, &bias))
        return false;
    const char *path = len == 1 && *name == 'x' && session->executable != NULL
                           ? session->executable
                           : pv_profile_builder_string_len (session->builder, name, len);
    use_memory (session, len + STRING_COST);
    PvModuleId id = get_module (session, path, PV_ADDRESS_LINK);
    while (has_more (fields)) {
        if (!take_hex (fields, &vaddr) || !take_hex (fields, &size_bytes))
            return false;
        add_segment (session, id, bias, vaddr, size_bytes);
    }
    return true;
}

/* Strings and addresses of interpreted files */

static bool
take_text (HeaptrackSession *session, Fields *fields)
{
    if (!must_be (session, HEAPTRACK_INTERPRETED))
        return false;
    const char *text;
    size_t len;
    bool is_good = take_string (session, fields, true, &text, &len);
    const char *string = NULL;
    if (is_good)
        string = pv_profile_builder_string_len (session->builder, text, len);
    pv_array_push (&session->strings, string);
    use_memory (session, (is_good ? len : 0) + STRING_COST);
    return is_good;
}

/* Takes a string's index; *ret_string is NULL if the string is missing or empty. */
static bool
take_index (HeaptrackSession *session, Fields *fields, const char **ret_string)
{
    uint64_t index;
    if (!take_hex (fields, &index) || index >= session->strings.len)
        return false;
    const char *string = session->strings.data[index];
    *ret_string = string != NULL && *string != '\0' ? string : NULL;
    return true;
}

/* Takes "FUNCTION FILE LINE" of the innermost function, then of those it is inlined into. Without a
 * file, there is only FUNCTION or nothing. */
static bool
take_frames (HeaptrackSession *session, Fields *fields)
{
    do {
        PvGivenFrame frame = {0};
        uint64_t line;
        if (has_more (fields) && !take_index (session, fields, &frame.name))
            return false;
        if (has_more (fields)) {
            if (!take_index (session, fields, &frame.file) || !take_hex (fields, &line))
                return false;
            frame.line = (uint32_t)MIN (line, UINT32_MAX);
        }
        pv_array_push (&session->frames, frame);
        use_memory (session, sizeof frame);
    } while (has_more (fields));
    return true;
}

/* Without a name, the address tells functions apart: "libfoo.so at 0x1234". */
static void
name_by_address (HeaptrackSession *session, const char *path, uint64_t ip)
{
    PvGivenFrame *frame = &session->frames.data[0];
    if (session->frames.len > 1 || frame->name != NULL || ip == 0)
        return;
    g_autofree char *name = g_strdup_printf ("%s%s0x%" G_GINT64_MODIFIER "x",
                                             path != NULL ? pv_path_get_base (path) : "",
                                             path != NULL ? " at " : "", ip);
    frame->name = pv_profile_builder_string (session->builder, name);
    frame->is_unknown = true;
    use_memory (session, strlen (name) + STRING_COST);
}

/* Each line is a location of its own, with its frames; equal names are merged later. */
static PvLocationId
add_named_location (HeaptrackSession *session, const char *path)
{
    uint64_t ordinal = session->locations.len;
    PvModuleId module = get_module (session, path != NULL ? path : "", PV_ADDRESS_ORDINAL);
    PvLocationId location =
        pv_profile_builder_location (session->builder, module, ordinal, PV_LOCATION_NAMED);
    pv_profile_builder_give_frames (session->builder, location, session->frames.data,
                                    (uint32_t)session->frames.len);
    return location;
}

static bool
take_address (HeaptrackSession *session, Fields *fields)
{
    if (!must_be (session, HEAPTRACK_INTERPRETED))
        return false;
    uint64_t ip;
    const char *path;
    session->frames.len = 0;
    bool is_good = take_hex (fields, &ip) && take_index (session, fields, &path) &&
                   take_frames (session, fields);
    if (is_good)
        name_by_address (session, path, ip);
    PvLocationId location = is_good ? add_named_location (session, path) : 0;
    pv_array_push (&session->locations, location);
    use_memory (session, ADDRESS_COST);
    return is_good;
}

/* Traces */

/* Addresses already point into the call instruction. */
static PvLocationId
find_location (HeaptrackSession *session, uint64_t ip)
{
    const PvMapping *mapping = pv_address_space_find (session->space, ip);
    if (mapping == NULL)
        return pv_profile_builder_location (
            session->builder, pv_profile_builder_unknown_module (session->builder, false), ip,
            PV_LOCATION_EXACT);
    return pv_profile_builder_location (session->builder, mapping->module,
                                        ip - mapping->start + mapping->file_offset,
                                        PV_LOCATION_EXACT);
}

/* Looks an address up again only after the modules have changed. */
static PvLocationId
get_raw_location (HeaptrackSession *session, uint64_t ip)
{
    uint32_t *id = pv_id_map_slot (&session->ip_ids, ip);
    if (*id == 0) {
        *id = (uint32_t)session->ips.len;
        HeaptrackIp unknown = {0};
        pv_array_push (&session->ips, unknown);
        use_memory (session, ADDRESS_COST);
    }
    HeaptrackIp *known = &session->ips.data[*id];
    uint32_t generation = pv_address_space_get_generation (session->space);
    if (known->location == 0 || known->generation != generation)
        *known = (HeaptrackIp){find_location (session, ip), generation};
    return known->location;
}

static bool
take_trace (HeaptrackSession *session, Fields *fields)
{
    uint64_t ip, parent;
    bool is_good = take_hex (fields, &ip) && take_hex (fields, &parent) &&
                   parent < session->stack_of_trace.len;
    if (is_good && session->kind == HEAPTRACK_UNDECIDED && ip != 0)
        heaptrack_decide (session, HEAPTRACK_RAW);
    if (is_good && session->kind == HEAPTRACK_INTERPRETED)
        is_good = ip < session->locations.len;

    PvStackId stack = is_good ? session->stack_of_trace.data[parent] : 0;
    PvLocationId location = 0;
    if (is_good && ip != 0)
        location = session->kind == HEAPTRACK_INTERPRETED ? session->locations.data[ip]
                                                          : get_raw_location (session, ip);
    /* Without a location, the stack is the caller's. */
    if (location != 0)
        stack = pv_profile_builder_stack (session->builder, stack, location);
    if (session->stack_of_trace.len > HEAPTRACK_MAX_TRACES) {
        session->is_full = true;
        return false;
    }
    pv_array_push (&session->stack_of_trace, stack);
    pv_array_push (&session->site_of_trace, 0);
    use_memory (session, TRACE_COST);
    return is_good;
}

/* Every site needs a frame, so allocations without a trace get an unknown location. */
uint32_t
heaptrack_new_site (HeaptrackSession *session, uint64_t trace)
{
    PvStackId stack = session->stack_of_trace.data[trace];
    if (stack == 0) {
        PvLocationId location = pv_profile_builder_location (
            session->builder, pv_profile_builder_unknown_module (session->builder, false), 0,
            PV_LOCATION_EXACT);
        stack = pv_profile_builder_stack (session->builder, 0, location);
    }
    uint32_t site = (uint32_t)session->stack_of_site.len;
    pv_array_push (&session->stack_of_site, stack);
    session->site_of_trace.data[trace] = site + 1;
    use_memory (session, SITE_COST);
    return site;
}

static bool
take_info (HeaptrackSession *session, Fields *fields)
{
    if (!must_be (session, HEAPTRACK_INTERPRETED))
        return false;
    uint64_t size = 0, trace = 0;
    bool is_good = take_hex (fields, &size) && take_hex (fields, &trace) &&
                   trace < session->stack_of_trace.len;
    if (session->infos.len >= HEAPTRACK_MAX_INFOS) {
        session->is_full = true;
        return false;
    }
    /* A damaged line still shows that something was allocated. */
    heaptrack_infos_add (&session->infos, is_good ? size : 0,
                         heaptrack_get_site (session, is_good ? trace : 0));
    use_memory (session, sizeof (HeaptrackInfo));
    return is_good;
}

/* Time */

static bool
take_time (HeaptrackSession *session, Fields *fields)
{
    uint64_t ms;
    if (!take_hex (fields, &ms))
        return false;
    if (ms < session->last_ms) {
        session->n_backward++;
        return true;
    }
    session->last_ms = ms;
    *heaptrack_add_op (session) = (HeaptrackOp){.value = ms, .kind = HEAPTRACK_OP_TIME};
    return true;
}

static bool
take_rss (HeaptrackSession *session, Fields *fields)
{
    uint64_t n_pages;
    if (!take_hex (fields, &n_pages) || n_pages > UINT64_MAX / session->page_bytes)
        return false;
    session->has_rss = true;
    *heaptrack_add_op (session) = (HeaptrackOp){
        .value = n_pages * session->page_bytes,
        .kind = HEAPTRACK_OP_RSS,
    };
    return true;
}

/* Accepted only once, as it drops all known blocks. */
static bool
take_attached (HeaptrackSession *session)
{
    if (session->is_attached)
        return false;
    session->is_attached = true;
    *heaptrack_add_op (session) = (HeaptrackOp){.kind = HEAPTRACK_OP_ATTACHED};
    return true;
}

static bool
take_record (HeaptrackSession *session, char type, Fields *fields)
{
    switch (type) {
    case 't':
        return take_trace (session, fields);
    case 'a':
        return take_info (session, fields);
    case 'i':
        return take_address (session, fields);
    case 's':
        return take_text (session, fields);
    case 'c':
        return take_time (session, fields);
    case 'R':
        return take_rss (session, fields);
    case 'm':
        return take_module (session, fields);
    case 'x':
        return take_executable (session, fields);
    case 'X':
        return take_command (session, fields);
    case 'I':
        return take_memory (session, fields);
    case 'S':
        return take_suppression (session, fields);
    case 'A':
        return take_attached (session);
    case 'v':
        return take_version (session, fields);
    case '-': /* of a block allocated before the first line */
        return true;
    default:
        return false;
    }
}

const char *
heaptrack_record (HeaptrackSession *session, const char *line, const char *line_end,
                  const char *text_end)
{
    if (line == line_end)
        return line_end + 1;
    if (*line == '#') {
        take_remark (session, line, line_end);
        return line_end + 1;
    }
    bool has_fields = line_end - line >= 2 && line[1] == ' ';
    Fields fields = {has_fields ? line + 2 : line_end, line_end, text_end};
    /* Lines of a numbered kind take a number even without fields. */
    bool is_known = has_fields || line_end == line + 1 || strchr ("tais", *line) != NULL;
    bool is_good = is_known && take_record (session, *line, &fields);
    session->n_damaged += !is_good;
    return (is_good ? fields.end : line_end) + 1;
}

/* At the end */

void
heaptrack_records_finish (HeaptrackSession *session)
{
    g_assert (session != NULL);
    const char *path = session->executable != NULL ? session->executable : session->program;
    const char *name = path != NULL ? pv_path_get_base (path) : "";
    PvProcessId process = pv_profile_builder_add_process (session->builder, -1, name, 0);
    pv_profile_builder_add_thread (session->builder, process, -1, name, 0);
}
