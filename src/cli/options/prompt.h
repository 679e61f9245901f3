/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* Asks a question on the terminal and waits for the line that is typed; what is_secret is not
 * shown. NULL if standard input or standard error is no terminal, or if nothing was typed. Ctrl+C
 * raises SIGINT. Free with g_free (). */
char *pv_prompt (const char *question, bool is_secret);
