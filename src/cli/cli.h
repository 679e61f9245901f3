#pragma once

#include <stdbool.h>

/* The headless commands: prints, exports, help and version. Needs no display. */

/* Whether the arguments ask for one of them. */
bool pv_cli_is_headless (int argc, char **argv);

/* For arguments that are not headless: 0 if the window takes them all, else 2, and the reason is on
 * standard error. GApplication's own options, as used by D-Bus, are left to it. */
int pv_cli_check_window_usage (int argc, char **argv);

/* Runs them. Exit status: 0 all well, 1 a file cannot be read or written, 2 bad usage; errors go to
 * standard error as "profview: FILE: what is wrong". */
int pv_cli_main (int argc, char **argv);
