#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check-names.py SOURCE: fails on a widget in an .ui file whose name for screen readers is lost in some version of GTK 4.

New versions take the text on a button for its name, whatever else it is called, and ignore the names of boxes that have no role.
A drop-down has its selected item for a name there, and none at its button in GTK 4.8."""
import glob
import os
import sys
import xml.etree.ElementTree as tree

BOXES = ("GtkBox", "GtkGrid", "GtkScrolledWindow", "GtkViewport")


def properties_of(widget):
    return {item.get("name"): item.text or "" for item in widget.findall("property")}


def complaint(widget, code):
    kind, name, own = widget.get("class"), widget.get("id"), properties_of(widget)
    accessibility = widget.find("accessibility")
    label = properties_of(accessibility).get("label") if accessibility is not None else None
    if kind == "GtkDropDown":
        named = "pv_accessible_name_parts (GTK_WIDGET (self->%s)" % name in code
        return None if named else "is not named by pv_accessible_name_parts ()"
    if label is None:
        return None
    if kind in BOXES and "accessible-role" not in own:
        return "has a name but no role"
    if kind.endswith("Button") and "label" in own and own["label"].replace("_", "") != label:
        return "is called “%s” and reads “%s”: pv_accessible_set_name () can do that" % (label, own["label"])
    return None


def main():
    n_widgets = n_bad = 0
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "src", "**", "*.ui"), recursive=True)):
        code = ""
        for source in glob.glob(os.path.join(os.path.dirname(path), "*.c")):
            with open(source, encoding="utf-8") as file:
                code += file.read()
        for widget in tree.parse(path).iter("object"):
            n_widgets += 1
            problem = complaint(widget, code)
            if problem:
                n_bad += 1
                print("%s: %s %s %s" % (path, widget.get("class"), widget.get("id") or "", problem))
    print("%d widgets, %d problems" % (n_widgets, n_bad))
    return 1 if n_bad or n_widgets == 0 else 0


sys.exit(main())
