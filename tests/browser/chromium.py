"""chromium.py - a browser without a window, driven over its debugging protocol (https://chromedevtools.github.io/devtools-protocol/).

Needs Debian's chromium and python3-websocket. The browser gets no network: every address but files and data is refused.
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket

START_S = 60  # until the browser answers
CALL_S = 120  # until a command is answered


class Page:
    """One page in a browser of its own."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
             "--disable-extensions", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
             "--remote-debugging-port=0", "--remote-allow-origins=*", "--user-data-dir=" + self.profile, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number = 0
        self.errors, self.requests, self.waiting = [], [], []
        try:
            self.socket = websocket.create_connection(self._address(), timeout=CALL_S, suppress_origin=True)
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(domain + ".enable")
        except Exception:
            self.close()
            raise

    def _address(self):
        port_file, end = os.path.join(self.profile, "DevToolsActivePort"), time.time() + START_S
        while time.time() < end:
            try:
                with open(port_file, encoding="ascii") as file:
                    port = file.readline().strip()
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=START_S) as answer:
                    return next(t["webSocketDebuggerUrl"] for t in json.load(answer) if t["type"] == "page")
            except (OSError, ValueError, StopIteration):
                time.sleep(0.1)
        raise RuntimeError("chromium does not answer")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _see(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(str(params["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method:
            self.waiting.append(method)

    def call(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") != self.number:
                self._see(message)
                continue
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            return message["result"]

    def js(self, expression):
        """The value of an expression in the page; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def look(self, width=1280, height=900, dark=False, mobile=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path, fragment=""):
        """Loads a file; returns the seconds until it is loaded and drawn from the top, and until no part is lacking (main is busy till then)."""
        self._go("about:blank")  # another fragment of the same page would load nothing
        start = time.time()
        self._go("file://" + os.path.realpath(path) + fragment)
        self.js("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        opened = time.time() - start
        self.js("new Promise((done) => { const look = () => document.querySelector('main[aria-busy]') ? setTimeout(look, 5) : done(); look(); })")
        self.settle()
        return opened, time.time() - start

    def _go(self, url):
        self.waiting.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.waiting:
            self._see(json.loads(self.socket.recv()))

    def settle(self):
        """Until what was changed is drawn."""
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))")

    def center(self, selector):
        """Scrolls it into the window; where it is then."""
        element = "document.querySelector(%s)" % json.dumps(selector)
        self.js(element + ".scrollIntoView({block: 'center', inline: 'center'})")
        self.settle()
        return self.js("(() => { const b = %s.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()" % element)

    def mouse(self, kind, x, y):
        buttons = {"mousePressed": 1, "mouseReleased": 0, "mouseMoved": 0}[kind]
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", buttons=buttons,
                  clickCount=1)

    def click(self, selector):
        x, y = self.center(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)
        self.settle()

    def drag(self, x0, y0, x1, y1):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x1, y=y1, button="left", buttons=1)
        self.mouse("mouseReleased", x1, y1)
        self.settle()

    def hover(self, selector):
        self.mouse("mouseMoved", *self.center(selector))
        self.settle()

    def key(self, name):
        code = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}[name]
        text = {"text": "\r"} if name == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)
        self.settle()

    def set(self, selector, value):
        """Puts a value into a field as a user would: events and all."""
        self.js("(() => { const e = document.querySelector(%s); e.value = %s; for (const kind of ['input', 'change'])"
                " e.dispatchEvent(new Event(kind, {bubbles: true})); })()" % (json.dumps(selector), json.dumps(value)))
        self.settle()

    def downloads_to(self, folder):
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)

    def screenshot(self, path, whole=False):
        clip = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}, "captureBeyondViewport": True}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", **clip)["data"]))
