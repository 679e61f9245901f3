#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page Flame Graph: zoom, menus, keys, colors, the treemap. test-flame.py PROFVIEW SCENARIO, inside session.sh."""

import os

from driver import main, scenario, set_animations, wait_for
from flame_steps import ROW, click_row, hover_half
from pprof_maker import Profile
from record_steps import in_dialog
from steps import (check, choose_direction, choose_item, choose_path, crumbs, details, export_by_key, open_menu, open_sample,
                   search_for, show_page, wait_details, wait_menu, wait_page)


def legend(window):
    return [node.name for node in window.all("label", within=("panel", "^Legend$"))]


@scenario
def zooming(open_window, scratch):
    set_animations(True)
    window = open_sample(open_window)
    click_row(window, 3)
    wait_details(window, r"^geometry::centre")
    wait_for("the path", lambda: crumbs(window)[-1:] == ["geometry::centre"])
    check(lambda: crumbs(window)[0] == "all", lambda: crumbs(window))
    # Zoomed, the box is as wide as the picture.
    wait_for("the zoomed box", lambda: window.find("push button", r"^geometry::centre, ").get_box()[2] > 1000)
    window.key("alt+Left")
    wait_for("the way back", lambda: crumbs(window) == ["all"])
    window.key("alt+Right")
    wait_for("the way forward", lambda: len(crumbs(window)) > 1)
    window.key("Escape")
    wait_for("everything", lambda: crumbs(window) == ["all"])
    # The mouse's own buttons for it.
    click_row(window, 2, button=8)
    wait_for("the way back by mouse", lambda: len(crumbs(window)) > 1)
    click_row(window, 2, button=9)
    wait_for("the way forward by mouse", lambda: crumbs(window) == ["all"])
    # A drag selects what it began on, and zooms nowhere.
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.drag((x + width * 0.25, y + 3.5 * ROW), (x + width * 0.25 + 60, y + 3.5 * ROW))
    wait_details(window, r"^geometry::centre")
    window.rest()
    check(lambda: crumbs(window) == ["all"], "a drag zooms", lambda: crumbs(window))


@scenario
def narrow_boxes(open_window, scratch):
    """Hatched boxes, wheel and drag, the strip with the whole graph, and the sandwich."""
    profile = Profile(("cpu", "nanoseconds"))
    profile.sample("main;run;work", 60_000_000)
    profile.sample("main;other;work;deep", 30_000_000)
    for i in range(300):
        profile.sample("main;small%03d;leaf" % i, 10_000)
    path = os.path.join(scratch, "narrow.pb.gz")
    profile.write(path)
    window = open_window(path)
    wait_details(window, r"^all, ")
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    map_name = "^Whole flame graph, "

    def map_shown():
        return next(window.all(name=map_name), None)

    # 300 functions of 0.01 % each are one box, and so is what they call.
    check(lambda: map_shown() is None, "a map of what is in view")
    window.move(x + width * 0.98, y + 2.5 * ROW)
    wait_details(window, r"^300 small functions, Total\s3\.2 %")
    window.move(x + width * 0.98, y + 3.5 * ROW)
    wait_details(window, r"^300 small functions, ")
    window.click_at(x + width * 0.98, y + 2.5 * ROW)
    wait_for("the map", map_shown)
    window.rest()
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.move(x + width * 0.5, y + 2.5 * ROW)
    wait_details(window, r"^small\d\d\d, ")
    check(lambda: crumbs(window)[-1] == "main", lambda: crumbs(window))
    window.key("alt+Left")
    wait_for("no map", lambda: map_shown() is None)
    window.key("alt+Right")
    wait_for("the map again", map_shown)
    window.key("Escape")
    wait_for("no map", lambda: map_shown() is None)
    # The wheel zooms at the pointer: what is there stays there. One movement is one step back.
    window.move(x + width * 0.8, y + 1.5 * ROW)
    with window.holding("ctrl"):
        window.scroll(6, is_up=True)
    wait_for("a narrow view", lambda: next(window.all(name=r"^Whole flame graph, 2[5-7]\.\d % in view"), None))
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.move(x + width * 0.8, y + 2.5 * ROW)
    wait_details(window, r"^other, ")
    # Dragging to the right, or the keys, lead to what is on the left.
    window.drag((x + width * 0.2, y + 5.5 * ROW), (x + width * 0.9, y + 5.5 * ROW))
    window.move(x + width * 0.5, y + 2.5 * ROW)
    wait_details(window, r"^run, ")
    window.key("alt+Left", "alt+Left")
    wait_for("no map", lambda: map_shown() is None)
    window.key("plus", "plus", "shift+Right", "minus")
    wait_for("the map", map_shown)
    # A click into the map.
    box = window.find(name=map_name).get_box()
    window.click_at(box[0] + box[2] * 0.05, box[1] + box[3] / 2)
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.move(x + width * 0.01, y + 2.5 * ROW)
    wait_details(window, r"^run, ")
    window.key("Escape")
    wait_for("no map", lambda: map_shown() is None)
    # Both places of a function, between what calls it and what it calls.
    click_row(window, 3)
    wait_details(window, r"^work, ")
    show_page(window, "Sandwich")
    x, y, width, _ = window.find(id="SandwichView.callees").get_box()
    window.move(x + width * 0.9, y + 0.5 * ROW)
    wait_details(window, r"^work, .*Total\s96\.8 %")
    window.move(x + width * 0.1, y + 1.5 * ROW)
    wait_details(window, r"^deep, .*Of caller\s33\.3 %")
    x, y, width, height = window.find(id="SandwichView.callers").get_box()
    window.move(x + width * 0.9, y + height - 0.5 * ROW)
    wait_details(window, r"^other, .*Total\s32\.3 %")
    window.move(x + width * 0.1, y + height - 0.5 * ROW)
    wait_details(window, r"^run, .*Total\s64\.5 %.*Of callee\s66\.7 %")
    window.click_at(x + width * 0.1, y + height - 0.5 * ROW, repeat=2)
    x, y, width, _ = window.find(id="SandwichView.callees").get_box()
    window.move(x + width * 0.9, y + 0.5 * ROW)
    wait_details(window, r"^run, .*Total\s64\.5 %")
    show_page(window, "Flame Graph")
    wait_for("the path", lambda: crumbs(window)[:1] == ["all"])


@scenario
def hovering(open_window, scratch):
    window = open_sample(open_window)
    x, y, width, _ = window.find(id="FlamePage.area").get_box()
    window.move(x + width * 0.25, y + 2.5 * ROW)
    wait_details(window, r"^main, .*Of caller.* inlining")
    window.move(x + width * 0.25, y + 3.5 * ROW)
    wait_details(window, r"^geometry::centre.*inlining\.cpp:\d+")
    window.move(x + width * 0.25, y - 60)
    wait_details(window, r"^all, ")


@scenario
def keyboard(open_window, scratch):
    window = open_sample(open_window)
    window.key("Down")
    wait_details(window, r"^__libc_start_call_main")
    window.key("Down", "Down")
    wait_details(window, r"^geometry::centre")
    window.key("Right")
    wait_details(window, r"^geometry::Cloud::weigh")
    focused = wait_for("the focus", lambda: [
        n.name for n in window.all("push button", r"^geometry::Cloud::weigh, ")
        if n.is_focused])
    check(len(focused) == 1, focused)
    window.key("Return")
    wait_for("zoom by key", lambda: crumbs(window)[-1:] == ["geometry::Cloud::weigh"])
    window.key("Up")
    wait_details(window, r"^main")
    window.key("Escape")
    wait_for("everything", lambda: crumbs(window) == ["all"])


@scenario
def package_colors(open_window, scratch):
    """Boxes in the color of their package, and the packages in the legend, by how much of the picture they fill."""
    path = os.path.join(scratch, "packages.pb.gz")
    profile = Profile(("cpu", "nanoseconds"))
    for stack, weight in (("main;tokio::run;tokio::park", 300), ("main;tokio::run;serde::write", 500), ("main;work", 50)):
        profile.sample(stack, weight)
    profile.write(path)
    window = open_window(path)
    window.wait_text("^3 samples$")
    choose_item(window, window.find(name="^Color by Module$"), 3)

    def legend():
        return [node.name for node in window.all("label", ".", within=("panel", "^Legend$"))]

    wait_for("packages", lambda: legend() == ["tokio", "No Package", "serde"])


@scenario
def value_colors(open_window, scratch):
    """Boxes in the color of a formula's value, the legend and details that say it, and what stays when measure and direction
    change."""
    path = os.path.join(scratch, "values.pb.gz")
    profile = Profile(("alloc_objects", "count"), ("alloc_space", "bytes"))
    for stack, objects, space in (("main;small", 60, 480), ("main;large", 40, 320000), ("main;none", 0, 512)):
        profile.sample(stack, objects, space)
    profile.write(path)
    window = open_window(path)
    choose_item(window, window.find(name="^Color by Module$"), 4)

    def legend():
        return [node.name for node in window.all("label", ".", within=("panel", "^Legend$"))]

    caption = "Bytes per allocation, 3.13 KiB in all"
    wait_for("values", lambda: legend() == [caption, "≤ 802 B", "1.57 KiB", "3.13 KiB", "6.27 KiB", "≥ 12.5 KiB"])
    wait_details(window, "Bytes per allocation.3.13 KiB")
    search_for(window, "large")
    window.wait_text("^1 function")
    window.key("Return")
    wait_details(window, "^large.*Bytes per allocation.7.81 KiB")
    window.key("Escape")
    choose_direction(window, "Bottom Up")
    wait_for("values bottom up", lambda: legend()[:1] == [caption])
    search_for(window, "small")
    window.wait_text("^1 function")
    window.key("Return")
    wait_details(window, "^small.*Bytes per allocation.8 B")
    window.key("Escape")
    show_page(window, "Sandwich")
    wait_details(window, "^small.*Bytes per allocation.8 B")
    wait_for("values of a sandwich", lambda: legend()[:1] == [caption])
    hover_half(window, "Callers", 0.5, 0.5)
    wait_details(window, "^main.*Bytes per allocation.8 B")
    choose_item(window, window.find(name="^Color by Bytes per allocation$"), 0)
    wait_for("modules", lambda: legend() and caption not in legend())


@scenario
def context_menu(open_window, scratch):
    window = open_sample(open_window)
    click_row(window, 3, button=3)
    wait_menu(window, "Functions")
    window.key("f")  # its mnemonic; a popover's position is not told
    wait_page(window, "Functions")
    window.find("label", "^Called by$")
    window.key("ctrl+2")
    wait_page(window, "Flame Graph")
    check(lambda: crumbs(window) == ["all"], "a menu does not zoom", lambda: crumbs(window))


@scenario
def directions(open_window, scratch):
    window = open_sample(open_window)
    def turn():
        open_menu(window, window.find(id="FlamePage.boxes_button"), "^Root at the Bottom$")
        window.key("r")

    turn()
    root = wait_for("the root at the bottom", lambda: [
        b for b in [window.find("push button", "^all, 100.0 % of all").get_box()] if b[1] > 400])
    check(root, root)
    turn()
    choose_direction(window, "Bottom Up")
    click_row(window, 1, share=0.02)
    wait_details(window, r"^geometry::Vec::operator\*")
    check(lambda: not any("Of calle" in text for text in details(window)), lambda: details(window))
    click_row(window, 2, share=0.02)
    wait_details(window, r"Of callee\s")


@scenario
def colors_of_packages(open_window, scratch):
    """Where there are no modules."""
    path = os.path.join(scratch, "goroutines")
    with open(path, "w", encoding="utf-8") as file:
        file.write("goroutine profile: total 6\n" + "".join(
            "%d @ 0x%d\n#\t0x%d\t%s+0x1\t/src/a.go:1\n\n" % (n, n, n, name)
            for n, name in ((3, "main.work"), (2, "net/http.serve"), (1, "runtime.gopark"))))
    window = open_window(path)
    wait_for("the packages", lambda: legend(window) == ["main", "net/http", "runtime"])


@scenario
def colors(open_window, scratch):
    """Each way to color the boxes says what its colors mean."""
    window = open_sample(open_window)
    wait_for("the modules", lambda: {"inlining", "libc.so.6"} <= set(legend(window)))
    choose_item(window, window.find(id="FlamePage.colors_drop_down"), 1)
    wait_for("the kinds of code", lambda: legend(window) == ["Program", "Libraries", "Kernel",
                                                             "Inlined", "Unknown"])
    choose_item(window, window.find(id="FlamePage.colors_drop_down"), 2)
    wait_for("the names", lambda: legend(window) == ["Each function name has its own color"])


@scenario
def treemap(open_window, scratch):
    """Areas inside of areas: a click selects on every page, a double click zooms; keys; an export of the same."""
    window = open_sample(open_window)
    show_page(window, "Treemap")
    area = window.find(id="FlamePage.treemap")
    left, top, width, height = area.get_box()
    wait_details(window, "^all,")
    window.move(left + width / 2, top + height / 2)
    wait_for("something is hovered", lambda: not details(window)[0].startswith("all,"))
    window.rest()
    hovered = details(window)
    window.click_at(left + width / 2, top + height / 2)
    show_page(window, "Functions")

    def selected():
        return [node.name for node in window.all("table row") if node.is_selected]

    check(lambda: len(selected()) == 1, "one function is selected", selected, hovered)
    window.key("ctrl+2")
    wait_page(window, "Treemap")
    check(lambda: len(crumbs(window)) == 1, "a click does not zoom")
    window.click_at(left + width / 2, top + height / 2, repeat=2)
    wait_for("zoomed", lambda: len(crumbs(window)) > 1)
    end = crumbs(window)[-1]
    window.key("BackSpace")
    wait_for("one level out", lambda: crumbs(window)[-1] != end)
    window.key("Escape")
    wait_for("all", lambda: len(crumbs(window)) == 1)
    # Page Up leads to what it is in, up to all of it; Page Down back in; Return zooms.
    for _ in range(40):
        if details(window)[0].startswith("all,"):
            break
        window.key("Prior")
    wait_details(window, "^all,")
    window.key("Next")
    wait_for("the largest in it", lambda: not details(window)[0].startswith("all,"))
    inside = details(window)
    window.key("Return")
    wait_for("zoomed by Return", lambda: len(crumbs(window)) > 1)
    check(lambda: details(window) == inside, "the same is selected", lambda: details(window), inside)
    window.key("Escape")
    # The menu is that of the flame graph.
    window.click_at(left + width / 2, top + height / 2, button=3)
    wait_menu(window, "^Focus on This Function$")
    window.key("Escape")
    # A search and the flame chart come and go.
    search_for(window, "geometry::")
    window.wait_text(r"^\d+ of \d+ functions, ")
    svg = os.path.join(scratch, "picture.svg")
    window.key("ctrl+e")
    choose_path(window, svg, is_new=True)
    wait_for("a picture", lambda: os.path.exists(svg))
    with open(svg) as file:
        check("<title>" in file.read(), "tool tips")
    show_page(window, "Flame Graph")
    window.find(id="FlamePage.area")


@scenario
def kind_of_picture(open_window, scratch):
    """Who chooses PNG in the dialog's list, and leaves the name as it is, gets a PNG."""
    window = open_sample(open_window)
    export_by_key(window, "^Picture…$", "p")
    with in_dialog(window, "Save the Flame Graph") as frame:
        window.rest()
        window.key("ctrl+a")
        window.type(scratch + "/picture.svg")  # as proposed, but elsewhere
        window.click(next(node for node in window.all("combo box", below=frame) if node.is_shown))
        window.key("Down", "Return")
        window.rest()
        window.click(window.find("push button", "Save$", below=frame))
    path = os.path.join(scratch, "picture.png")
    wait_for("the picture", lambda: os.path.exists(path))
    window.wait_text("picture.png")
    with open(path, "rb") as file:
        check(lambda: file.read(4) == b"\x89PNG", "a PNG")


if __name__ == "__main__":
    main()
