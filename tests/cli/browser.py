# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser without a window, driven over pipes by the DevTools protocol: messages of JSON that end with a NUL byte."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE_S = 60


class Browser:
    """One page of one browser. Everything it complains about, and all that it asks the network for, is kept."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="pv-browser.")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        # The browser takes its pipe as 3 and 4, whatever these are here.
        command = 'exec 3<&%d 4>&%d; exec "$@"' % (to_read, to_write)
        self.process = subprocess.Popen(
            ["bash", "-c", command, "browser", program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--user-data-dir=" + self.folder, "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.n_sent, self.rest, self.events = 0, b"", []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.to_browser)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.from_browser)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        end = time.monotonic() + PATIENCE_S
        while b"\0" not in self.rest:
            if not select.select([self.from_browser], [], [], max(end - time.monotonic(), 0))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.from_browser, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """What the browser answers. Events that come before are kept."""
        self.n_sent += 1
        message = {"id": self.n_sent, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.n_sent:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while True:
            for event in self.events:
                if event["method"] == method:
                    return event["params"]
            self.events.append(self.receive())

    def open(self, path):
        """Loads a file, and waits until it is drawn."""
        self.events = []
        self.call("Page.navigate", url="file://" + path)
        self.wait_for("Page.loadEventFired")
        self.settle()

    def settle(self):
        """Waits for two frames: then what was asked for is drawn."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def ask(self, expression):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def resize(self, width, height, is_dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])
        self.settle()

    def move_to(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def press(self, key, modifiers=0):
        """A key by its name, or a character. modifiers: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift."""
        code = {"Enter": 13, "Escape": 27, "Backspace": 8, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
                "Home": 36}.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        down = {"text": text} if text and not modifiers & 3 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown" if down else "rawKeyDown", key=key, windowsVirtualKeyCode=code, modifiers=modifiers, **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, modifiers=modifiers)
        self.settle()

    def write(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the page's console says, and exceptions; of dialogs, that they were opened."""
        self.settle()
        found = []
        for event in self.events:
            method, parameters = event["method"], event.get("params", {})
            if method == "Runtime.consoleAPICalled":
                found.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
            elif method == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif method == "Page.javascriptDialogOpening":
                found.append("dialog: " + parameters["message"])
        return found

    def requests(self):
        """URLs that were asked for, but the page itself."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent" and event["params"].get("type") != "Document"]
