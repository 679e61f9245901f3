/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/*
 * Reads what a program writes to its terminal, and passes it on in pieces small enough to show
 * between two frames. A worker reads as fast as the program writes and keeps only the end of what
 * cannot be shown in time; a line reports how much was skipped. Main loop only.
 *
 * VTE can read a terminal itself, but only as fast as it shows text: a program that printed short
 * lines then ran at a seventh of its speed, which would be in its profile.
 */
typedef struct PvTerminalOutput PvTerminalOutput;

typedef struct {
    gpointer owner;
    void (*feed) (gpointer owner, const char *bytes, size_t n_bytes);
    /* Once, after all output: no process has the terminal open any more. */
    void (*ended) (gpointer owner);
} PvTerminalEvents;

enum {
    PV_TERMINAL_MAX_WAITING = 1 << 20, /* bytes that wait to be shown */
    PV_TERMINAL_MAX_PIECE = 1 << 14,
    PV_TERMINAL_MAX_LINES = 1000, /* in a piece: lines cost more than bytes */
};

/* Takes fd, the master of a pseudo-terminal. */
PvTerminalOutput *pv_terminal_output_new (int fd, const PvTerminalEvents *events);
/* Types to the program. Input that it does not read is kept, up to 1 MiB. */
void pv_terminal_output_write (PvTerminalOutput *output, const char *bytes, size_t n_bytes);
void pv_terminal_output_set_size (PvTerminalOutput *output, unsigned rows, unsigned columns);
/* Ends all calls and closes the terminal: the program gets SIGHUP unless another process has the
 * master open. */
void pv_terminal_output_close (PvTerminalOutput *output);
