/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/names/languages.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/symbolize/names/iberty.h"

#define MAX_NAME_BYTES (64u << 10)

/* The byte of two hexadecimal digits; −1: they are none. */
static int
get_byte (const char *digits)
{
    int high = g_ascii_xdigit_value (digits[0]);
    int low = high >= 0 ? g_ascii_xdigit_value (digits[1]) : -1;
    return low >= 0 ? high << 4 | low : -1;
}

static bool
has_only (const char *text, size_t len, const char *others)
{
    for (size_t i = 0; i < len; i++)
        if (!g_ascii_isalnum (text[i]) && strchr (others, text[i]) == NULL)
            return false;
    return len > 0;
}

/* --- Rust --- */

/* Appends "$u20$" and the like; returns what follows, or NULL: it is no such part. */
static const char *
take_rust_escape (GString *out, const char *s, const char *end)
{
    static const struct {
        const char *name, *text;
    } escapes[] = {{"SP", "@"}, {"BP", "*"}, {"RF", "&"}, {"LT", "<"},
                   {"GT", ">"}, {"LP", "("}, {"RP", ")"}, {"C", ","}};
    const char *close = memchr (s + 1, '$', (size_t)(end - s - 1));
    size_t len = close != NULL ? (size_t)(close - s - 1) : 0;
    if (len == 0 || len > 7)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (escapes); i++)
        if (strlen (escapes[i].name) == len && strncmp (s + 1, escapes[i].name, len) == 0) {
            g_string_append (out, escapes[i].text);
            return close + 1;
        }
    char *rest;
    guint64 c = s[1] == 'u' && g_ascii_isxdigit (s[2]) ? g_ascii_strtoull (s + 2, &rest, 16) : 0;
    if (c < 0x20 || rest != close || c > 0x10ffff || !g_unichar_validate ((gunichar)c))
        return NULL;
    g_string_append_unichar (out, (gunichar)c);
    return close + 1;
}

static bool
append_rust_part (GString *out, const char *s, const char *end)
{
    if (out->len > 0)
        g_string_append (out, "::");
    if (end - s > 1 && s[0] == '_' && s[1] == '$')
        s++;
    while (s < end) {
        if (*s == '$') {
            s = take_rust_escape (out, s, end);
            if (s == NULL)
                return false;
        } else if (*s == '.' && s + 1 < end && s[1] == '.') {
            g_string_append (out, "::");
            s += 2;
        } else {
            g_string_append_c (out, *s++);
        }
    }
    return true;
}

char *
pv_demangle_legacy_rust (const char *symbol)
{
    static const size_t hash_len = sizeof "h0123456789abcdef" - 1;
    g_autoptr (GString) out = g_string_new (NULL);
    const char *s = symbol + strlen ("_ZN");
    if (!g_str_has_prefix (symbol, "_ZN"))
        return NULL;
    while (g_ascii_isdigit (*s)) {
        char *part;
        guint64 len = g_ascii_strtoull (s, &part, 10);
        if (len == 0 || len > strlen (part) || out->len > MAX_NAME_BYTES)
            return NULL;
        s = part + len;
        bool is_hash = *s == 'E' && len == hash_len && *part == 'h' &&
                       strspn (part + 1, "0123456789abcdef") >= hash_len - 1;
        if (is_hash && out->len > 0)
            return s[1] == '\0' || s[1] == '.' ? g_string_free (g_steal_pointer (&out), FALSE)
                                               : NULL;
        if (!append_rust_part (out, part, s))
            return NULL;
    }
    return NULL;
}

/* --- OCaml --- */

/*
 * "camlModule__name_12" until OCaml 5.2, "camlModule.name_12" and "camlModule$name_12" later; other
 * characters are "$2a", or "$$2a" in the last form.
 */
static char *
demangle_ocaml (const char *symbol)
{
    static const char prefix[] = "caml";
    const char *s = symbol + strlen (prefix);
    if (!g_str_has_prefix (symbol, prefix) || !g_ascii_isupper (*s) ||
        !has_only (s, strlen (s), "_$.'"))
        return NULL;
    bool has_dots = strchr (s, '.') != NULL, has_lines = strstr (s, "__") != NULL;
    bool is_dollar_last = !has_dots && !has_lines && strchr (s, '$') != NULL;
    if (!has_dots && !has_lines && !is_dollar_last)
        return NULL;
    GString *out = g_string_new (NULL);
    while (*s != '\0') {
        size_t n = is_dollar_last ? 2 : 1;
        int byte = strncmp (s, "$$", n) == 0 ? get_byte (s + n) : -1;
        if (byte > 0x20) {
            g_string_append_c (out, (char)byte);
            s += n + 2;
        } else if (is_dollar_last && *s == '$') {
            g_string_append_c (out, '.');
            s++;
        } else if (!has_dots && s[0] == '_' && s[1] == '_') {
            g_string_append_c (out, '.');
            s += 2;
        } else {
            g_string_append_c (out, *s++);
        }
    }
    if (g_utf8_validate (out->str, (gssize)out->len, NULL))
        return g_string_free (out, FALSE);
    g_string_free (out, TRUE);
    return NULL;
}

/* --- Fortran --- */

/* "__module_MOD_procedure", and "__module.part_MOD_procedure" of submodules */
static char *
demangle_gfortran (const char *symbol)
{
    static const char middle[] = "_MOD_";
    if (!g_str_has_prefix (symbol, "__") || !g_ascii_islower (symbol[2]))
        return NULL;
    const char *module = symbol + 2, *split = strstr (module, middle);
    if (split == NULL)
        return NULL;
    const char *procedure = split + strlen (middle);
    for (const char *c = module; c < split; c++)
        if (!g_ascii_islower (*c) && !g_ascii_isdigit (*c) && *c != '_' && *c != '.')
            return NULL;
    if (*procedure == '\0')
        return NULL;
    g_autofree char *path = g_strndup (module, (size_t)(split - module));
    g_auto (GStrv) parts = g_strsplit (path, ".", -1);
    g_autofree char *joined = g_strjoinv ("::", parts);
    return g_strconcat (joined, "::", procedure, NULL);
}

/* LLVM's Fortran: "_QMmodulePprocedure"; modules (M), their parts (S), functions around it (F). Its
 * names have no capital letters. */
static char *
demangle_flang (const char *symbol)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    if (!g_str_has_prefix (symbol, "_Q"))
        return NULL;
    g_autoptr (GString) out = g_string_new (NULL);
    char kind = '\0';
    for (const char *s = symbol + 2; *s != '\0';) {
        kind = *s++;
        size_t len = strspn (s, letters);
        if (strchr ("MSFP", kind) == NULL || !g_ascii_islower (*s))
            return NULL;
        g_string_append_printf (out, "%s%.*s", out->len > 0 ? "::" : "", (int)len, s);
        s += len;
    }
    bool is_inside = kind == 'P' && strstr (out->str, "::") != NULL;
    return is_inside ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

/* --- Pascal --- */

/* Appends the parts of "P$PROGRAM$_$CLASS_$_" or "UNIT$_$OUTER$LONGINT", with dots between. */
static void
append_pascal_scope (GString *out, const char *scope, size_t len)
{
    g_autofree char *copy = g_strndup (scope, len);
    g_auto (GStrv) parts = g_strsplit (copy, "_$", -1);
    for (char **part = parts; *part != NULL; part++) {
        const char *name = g_str_has_prefix (*part, "P$") ? *part + 2 : *part;
        name += strspn (name, "_");
        size_t name_len = strcspn (name, "$");
        if (name_len > 0)
            g_string_append_printf (out, "%.*s.", (int)name_len, name);
    }
}

/* "P$PROGRAM_$$_NAME$LONGINT$$RESULT", "UNIT$_$CLASS_$__$$_NAME$LONGINT" */
static char *
demangle_pascal (const char *symbol)
{
    static const char middle[] = "_$$_";
    const char *split = strchr (symbol, '$') != NULL ? strstr (symbol, middle) : NULL;
    if (split == NULL || split == symbol || !has_only (symbol, strlen (symbol), "_$"))
        return NULL;
    for (const char *next; (next = strstr (split + 1, middle)) != NULL;)
        split = next;
    const char *name = split + strlen (middle);
    size_t name_len = strcspn (name, "$");
    if (name_len == 0)
        return NULL;
    GString *out = g_string_new (NULL);
    append_pascal_scope (out, symbol, (size_t)(split - symbol));
    g_string_append_len (out, name, (gssize)name_len);
    const char *parameters = name + name_len, *result = strstr (parameters, "$$");
    if (g_str_has_prefix (parameters, "$crc") || *parameters == '\0')
        return g_string_free (out, FALSE);
    size_t len = result != NULL ? (size_t)(result - parameters) : strlen (parameters);
    g_autofree char *list = g_strndup (parameters + 1, len > 0 ? len - 1 : 0);
    g_auto (GStrv) types = g_strsplit (list, "$", -1);
    g_autofree char *joined = g_strjoinv (", ", types);
    g_string_append_printf (out, "(%s)", joined);
    return g_string_free (out, FALSE);
}

/* --- Ada --- */

/* The body of a task, "package__taskTB", has the task's name; libiberty only knows older forms. */
static char *
strip_task_body (const char *symbol)
{
    size_t len = strcspn (symbol, ".");
    bool is_body = len > 2 && strncmp (symbol + len - 2, "TB", 2) == 0;
    return g_strndup (symbol, is_body ? len - 2 : strlen (symbol));
}

/* libiberty writes into memory that has 7 bytes more than the symbol, and checks nothing: names of
 * stream operations ("SO" is "'Output") are up to 5 bytes longer than what stands for them, and
 * those of finalization ("DF") 7 at the end, where others are 2 longer. False for a crafted
 * symbol. */
static bool
is_modest_ada (const char *symbol)
{
    enum { MOST_MORE = 7, MORE_FOR_STREAM = 5, MORE_AT_END = 2 };
    size_t n_more = strchr (symbol, 'D') != NULL ? MOST_MORE : MORE_AT_END;
    for (const char *s = strchr (symbol, 'S'); s != NULL; s = strchr (s + 1, 'S'))
        n_more += s[1] != '\0' && strchr ("RWIO", s[1]) != NULL ? MORE_FOR_STREAM : 0;
    return n_more <= MOST_MORE;
}

static char *
demangle_ada (const char *symbol)
{
    g_autofree char *plain = strip_task_body (symbol);
    if (!is_modest_ada (plain))
        return NULL;
    char *name = ada_demangle (plain, 0);
    char *copy =
        name != NULL && name[0] != '<' && strcmp (name, symbol) != 0 ? g_strdup (name) : NULL;
    free (name);
    return copy;
}

/* True for "package__Oadd", an operator, with an optional number, and for "_ada_main". "One" is
 * "/=", but also a word, and hardly ever has code of its own. */
static bool
is_plainly_ada (const char *symbol)
{
    static const char *const operators[] = {
        "Oabs", "Oand", "Omod", "Onot", "Oor",       "Orem",    "Oxor",      "Oeq",     "Olt",
        "Ole",  "Ogt",  "Oge",  "Oadd", "Osubtract", "Oconcat", "Omultiply", "Odivide", "Oexpon"};
    if (g_str_has_prefix (symbol, "_ada_"))
        return g_ascii_islower (symbol[strlen ("_ada_")]);
    for (const char *s = strstr (symbol, "__O"); s != NULL; s = strstr (s + 1, "__O"))
        for (size_t i = 0; i < G_N_ELEMENTS (operators); i++) {
            const char *end = s + 2 + strlen (operators[i]);
            if (g_str_has_prefix (s + 2, operators[i]) &&
                (*end == '\0' || *end == '.' || g_str_has_prefix (end, "__")))
                return g_ascii_islower (symbol[0]);
        }
    return false;
}

/* --- Nim --- */

/* "name__module_u12", or "name__hash" with 20 and more letters and digits in versions before 2; in
 * these modules, "Z" is a slash. */
static char *
demangle_nim (const char *symbol)
{
    const char *split = strstr (symbol, "__");
    if (split == NULL || split == symbol)
        return NULL;
    const char *module = split + 2, *number = g_strrstr (module, "_u");
    size_t len = strlen (module);
    bool is_numbered = number != NULL && number > module && number[2] != '\0' &&
                       strspn (number + 2, "0123456789_") == strlen (number + 2);
    if (!is_numbered && (len < 20 || !has_only (module, len, "_")))
        return NULL;
    if (!is_numbered)
        return g_strndup (symbol, (size_t)(split - symbol));
    g_autofree char *path = g_strndup (module, (size_t)(number - module));
    return g_strdup_printf ("%s.%.*s", g_strdelimit (path, "Z", '/'), (int)(split - symbol),
                            symbol);
}

/* --- all --- */

static char *
demangle_fortran (const char *symbol)
{
    char *name = demangle_gfortran (symbol);
    return name != NULL ? name : demangle_flang (symbol);
}

static char *
demangle_symbol (const char *symbol)
{
    char *name = demangle_ocaml (symbol);
    name = name != NULL ? name : demangle_fortran (symbol);
    name = name != NULL ? name : demangle_pascal (symbol);
    return name == NULL && is_plainly_ada (symbol) ? demangle_ada (symbol) : name;
}

char *
pv_demangle_language (const char *symbol, PvNameSource source)
{
    g_assert (symbol != NULL);
    if (source == PV_NAME_WRITTEN || strlen (symbol) > MAX_NAME_BYTES)
        return NULL;
    switch (source) {
    case PV_NAME_ADA:
        return demangle_ada (symbol);
    case PV_NAME_FORTRAN:
        return demangle_fortran (symbol);
    case PV_NAME_NIM:
        return demangle_nim (symbol);
    case PV_NAME_PASCAL:
        return demangle_pascal (symbol);
    case PV_NAME_SYMBOL:
        return demangle_symbol (symbol);
    case PV_NAME_WRITTEN:
    case PV_NAME_LINKER:
        break;
    }
    return NULL;
}

PvNameSource
pv_module_get_name_source (const PvModule *module)
{
    g_assert (module != NULL);
    if (module->kind != PV_MODULE_FILE)
        return PV_NAME_WRITTEN;
    bool is_linker = g_str_equal (module->name, "linker64") || g_str_equal (module->name, "linker");
    return is_linker ? PV_NAME_LINKER : PV_NAME_SYMBOL;
}
