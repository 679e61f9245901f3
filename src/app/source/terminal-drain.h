/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Keeps the terminal of a program that outlives profview or the tab that shows it. When nobody has
 * the master open, the kernel hangs up the program; when nobody reads it, the program blocks.
 *
 * Starts a process that shares the master and waits until the returned descriptor is closed, which
 * happens even when profview crashes. From then on it reads and drops all output, until the program
 * ends. Returns -1 if the process cannot be started. Main loop only.
 */
int pv_terminal_drain_later (int master_fd);
