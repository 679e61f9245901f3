/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As core.h, for rooms that use GIO. */
#include <gio/gio.h>
#include <string.h>
