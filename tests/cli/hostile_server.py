# SPDX-License-Identifier: GPL-3.0-or-later
"""A server on loopback; each path misbehaves in its own way. For test-fetch.py."""

import gzip
import os
import re
import socket
import ssl
import struct
import tempfile
import threading
import time

# Self-signed, for localhost, until 2120.
CERTIFICATE = """-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIP4zr8IVj4CiW2QKQ/aDUfMJ60gViFzktfnBmmbE0RuqoAoGCCqGSM49
AwEHoUQDQgAEOf845bQSPUn8j+hOP2D7GcINVRHwn6d9PDxupe4n7ef607hLOa/9
PRctXlCIl6Rbid2C+LB9YNMyst2Njt/Msg==
-----END EC PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBZjCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDn/OOW0Ej1J/I/o
Tj9g+xnCDVUR8J+nfTw8bqXuJ+3n+tO4Szmv/T0XLV5QiJekW4ndgviwfWDTMrLd
jY7fzLKjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBTIpbzPo9NxyaT38E5sUdYwf0DFtTAKBggqhkjOPQQD
AgNHADBEAiAYhOSblAHV/EsmQxqUjgOEyPCdfS2k/q1uKTLTXRsGQgIgOdmyedkQ
JgdJuUD5k3haQNv94dm17d0xJDqITMZw60E=
-----END CERTIFICATE-----
"""


def varint(number):
    out = b""
    while number > 0x7f:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def make_pprof(value):
    """A pprof profile of one stack: main calls work."""
    out = field(1, field(1, 1) + field(2, 2))
    out += field(2, field(1, b"\x01\x02") + field(2, varint(value)))
    for number, name in ((1, 3), (2, 4)):
        out += field(4, field(1, number) + field(4, field(1, number)))
        out += field(5, field(1, number) + field(2, name))
    for word in (b"", b"inuse_space", b"bytes", b"work", b"main"):
        out += field(6, word)
    # Random bytes in an unknown field: gzip cannot compress them.
    return out + field(1000, os.urandom(100000))


def make_bare_pprof():
    """A pprof profile of the same addresses as HEAP, which a program without names writes."""
    out = field(1, field(1, 1) + field(2, 2)) + field(2, field(1, b"\x01\x02\x03") + field(2, varint(2000)))
    for number, start, limit, name in ((1, 0x400000, 0x500000, 3), (2, 0x7f0000000000, 0x7f0000100000, 4)):
        out += field(3, field(1, number) + field(2, start) + field(3, limit) + field(5, name))
    for number, mapping, address in ((1, 1, 0x40100f), (2, 2, 0x7f000000200f), (3, 1, 0x40300f)):
        out += field(4, field(1, number) + field(2, mapping) + field(3, address))
    for word in (b"", b"inuse_space", b"bytes", b"/opt/not-here/server", b"/opt/not-here/lib.so"):
        out += field(6, word)
    return out


PLAIN = make_pprof(4096)
PACKED = gzip.compress(PLAIN)
# The beginning of a recording; the server sends more as long as the client reads.
ENDLESS = b"PERFILE2" + struct.pack("<Q", 104) + bytes(88)
BLOCK = bytes(1 << 16)
PAGE = (b"<!DOCTYPE html><html><head><title>Sign in</title><style>p { color: red }</style>"
        b"<script>alert('no')</script></head><body><h1>Who are you?</h1><p>Please &amp; thank you</p>"
        b"\x1b[31m\xe2\x80\xaered</body></html>")


def head(status="200 OK", length=None, **others):
    lines = ["HTTP/1.1 " + status]
    if length is not None:
        lines.append("Content-Length: %d" % length)
    lines += ["%s: %s" % (name.replace("_", "-"), value) for name, value in others.items()]
    return "\r\n".join(lines + ["", ""]).encode()


def whole(body, status="200 OK", **others):
    return head(status, len(body), **others) + body


def chunk(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


# Heaps and a CPU profile as gperftools writes them: addresses without names, of a program that is not here, and of one
# that has the path of a file here, but was another file.
MAPS = (b"00400000-00500000 r-xp 00000000 08:01 1 /opt/not-here/server\n"
        b"7f0000000000-7f0000100000 r-xp 00000000 08:01 1 /bin/sh\n")
HEAP = (b"heap profile:     2:     2000 [     2:     2000] @ heapprofile\n"
        b"     2:     2000 [     2:     2000] @ 0x00401010 0x7f0000002010 0x00403010\n\nMAPPED_LIBRARIES:\n" + MAPS)
BLOCK_TEXT = (b"--- contention:\ncycles/second=1000000000\n5 1 @ 0x401011 0x402011\n#\t0x401010\tmain.leaf+0x10\t/src/a.go:3\n"
              b"#\t0x402010\tmain.main+0x10\t/src/a.go:9\n\n")
CPU = struct.pack("<14Q", 0, 3, 0, 10000, 0, 7, 3, 0x401010, 0x7f0000002010, 0x403010, 0, 1, 0, 0)[:-8] + MAPS
SYMBOLS = {0x401010: b"alpha", 0x40100f: b"alpha", 0x7f000000200f: b"_ZN3lib4workEi", 0x40300f: b"outer--inner"}
LINES = b"".join(b"0x%x\t%s\r\n" % each for each in SYMBOLS.items())

CHUNKED = {"Transfer_Encoding": "chunked"}
FIXED = {
    "/good": whole(PACKED),
    "/debug/pprof/heap": whole(PACKED),
    "/debug/mem/pprof/profile": whole(PACKED),
    "/plain": whole(PLAIN),
    "/chunked": head(**CHUNKED) + chunk(PACKED[:9]) + chunk(PACKED[9:]) + b"0\r\n\r\n",
    "/until-closed": b"HTTP/1.0 200 OK\r\n\r\n" + PACKED,
    "/packed-twice": whole(gzip.compress(PACKED), Content_Encoding="gzip"),
    "/packed-once": whole(PACKED, Content_Encoding="gzip"),
    "/says-packed": whole(PLAIN, Content_Encoding="gzip"),
    "/packed-badly": whole(PACKED[:100] + bytes(1000) + PACKED[1100:], Content_Encoding="gzip"),
    "/packed-strangely": whole(PACKED, Content_Encoding="br"),
    "/cut-length": head(length=len(PACKED)) + PACKED[:50000],
    "/cut-length-closing": head(length=len(PACKED), Connection="close") + PACKED[:50000],
    "/cut-head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "/cut-chunk": head(**CHUNKED) + chunk(PACKED)[:50000],
    "/cut-between": head(**CHUNKED) + chunk(PACKED[:50000]),
    "/cut-between-plain": head(**CHUNKED) + chunk(PLAIN[:50000]),
    "/bad-chunk": head(**CHUNKED) + chunk(PACKED[:50000]) + b"zz\r\n" + PACKED[50000:] + b"\r\n0\r\n\r\n",
    "/huge-chunk": head(**CHUNKED) + b"fffffffffffffffe\r\n" + PACKED[:50000],
    "/bad-length": head(Content_Length="-5") + PACKED[:50000],
    "/huge-length": head(Content_Length="99999999999999999999") + PACKED[:50000],
    "/unknown-transfer": head(Transfer_Encoding="rot13") + PACKED,
    "/cut-between-unknown": head(**CHUNKED) + chunk(ENDLESS),
    "/cut-until-closed": b"HTTP/1.0 200 OK\r\n\r\n" + PACKED[:50000],
    "/cut-packing": b"HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + PACKED[:50000],
    "/404": whole(b"no such page\n", "404 Not Found"),
    "/404-empty": whole(b"", "404 Not Found"),
    "/404-go": whole(b"Unknown profile\n", "404 Not Found", X_Go_Pprof="1"),
    "/404-page": whole(PAGE, "404 Not Found", Content_Type="text/html"),
    "/403-json": whole(b'{"error": "off"}', "403 Forbidden", Content_Type="application/json; charset=utf-8"),
    "/404-cut": head("404 Not Found", 1000) + b"gone",
    "/500": whole(b"Could not enable CPU profiling: cpu profiling already in use\n",
                  "500 \x1b[31mServer", X_Go_Pprof="1"),
    "/600": whole(b"odd", "600 Odd"),
    "/204": head("204 No Content"),
    "/page": whole(PAGE, Content_Type="text/html"),
    "/text": whole(b"everything is fine\x07\n" * 3),
    "/plain-text": whole(b"all is well\n"),
    "/error": whole(b'{"error": "off"}', Content_Type="application/json"),
    "/debug/pprof/trace": whole(b"go 1.22 trace\0\0\0" + bytes(100), Content_Type="application/octet-stream"),
    "/packed-page": whole(gzip.compress(PAGE), Content_Type="application/gzip"),
    "/long-text": whole(b"fine " * 100000),
    "/empty": whole(b""),
    "/binary": whole(bytes(range(256)) * 4, Content_Type="application/\x1b[31modd"),
    "/picture": whole(b"<svg xmlns='http://www.w3.org/2000/svg'><text>main</text></svg>"),
    "/garbage": b"\x16\x03\x01\x02 what is this?\r\n\r\n",
    "/too-large": head(length=3 << 30) + ENDLESS,
    "/loop": whole(b"", "302 Found", Location="/loop"),
    "/same": whole(PAGE, "301 Moved", Location="good"),
    "/nowhere": whole(b"", "302 Found", Location="file:///etc/passwd"),
    "/odd-place": whole(b"", "302 Found", Location="http://[::"),
    "/no-place": whole(b"where?", "302 Found"),
    "/close": b"",
    "/deep/bare": whole(HEAP),
    "/list/debug/pprof/": whole(b"<html><a href='heap?debug=1'>heap</a><a href=/pprof/growth><a href='/own'>",
                                Content_Type="text/html; charset=utf-8"),
    "/list/debug/pprof/heap": whole(PACKED),
    "/site": whole(PAGE, Content_Type="text/html"),
    "/site/pprof/heap": whole(PAGE, Content_Type="text/html"),
    "/site/pprof/profile": whole(PACKED),
}

# Servers that are asked for names, each below a path of its own: what they answer to GET and to POST.
COUNT = whole(b"num_symbols: 1\n")
NAMES = {
    "good": (COUNT, whole(LINES)),
    "packed": (COUNT, whole(gzip.compress(LINES), Content_Encoding="gzip")),
    "only-post": (whole(b"no", "405 Method Not Allowed"), whole(LINES)),
    "unasked": (COUNT, whole(b"0x1 no\n0x401010 no\n" + LINES + LINES.replace(b"alpha", b"second"))),
    "odd": (COUNT, whole(LINES.replace(b"alpha", b"\x1b[31mal\xe2\x80\xaeph\xff\x00a\x07").replace(b"outer--inner", b"---") +
                         b"0x40300f" + b" " * 99 + b"x" * 100000 + b"\n0x40300f nothing\n0x\n \n0x40300f")),
    "none": (whole(b"num_symbols: 0\n"), whole(LINES)),
    "no-count": (whole(PAGE, Content_Type="text/html"), whole(LINES)),
    "pages": (whole(PAGE, Content_Type="text/html"), whole(PAGE, Content_Type="text/html")),
    "forbidden": (whole(b"no", "403 Forbidden"), whole(b"no", "403 Forbidden")),
    "refused": (COUNT, whole(b"busy", "503 Service Unavailable")),
    "to-file": (COUNT, whole(b"", "302 Found", Location="file:///etc/passwd")),
    "to-other": (COUNT, whole(b"", "302 Found", Location="http://127.0.0.1:1/")),
    "to-socket": (COUNT, whole(b"", "302 Found", Location="http+unix://%2Frun%2Fx/")),
    "cut": (COUNT, head(length=100000) + LINES),
    "stall": (COUNT, None),
    "stall-get": (None, None),
    "endless": (COUNT, b"0x401010 "),
    "drip": (COUNT, b"0x1 x\n"),
}


class Server:
    """Serves until the program ends; every connection has a thread."""

    def __init__(self, family=socket.AF_INET, host="127.0.0.1", tls=False):
        self.socket = socket.socket(family)
        self.socket.bind(host if family == socket.AF_UNIX else (host, 0))
        self.socket.listen(64)
        self.port = self.socket.getsockname()[1] if family != socket.AF_UNIX else 0
        self.url = "unix://%s:" % host if family == socket.AF_UNIX else "%s://%s:%d" % ("https" if tls else "http", "[%s]" % host if ":" in host else host,
                                   self.port)
        self.requests = []  # lines of each
        self.symbol_page = None
        self.context = None
        if tls:
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(CERTIFICATE)
                file.flush()
                self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self.context.load_cert_chain(file.name)
                if tls == "both":
                    self.context.verify_mode = ssl.CERT_REQUIRED
                    self.context.load_verify_locations(file.name)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                if self.context:
                    connection = self.context.wrap_socket(connection, server_side=True)
                self.answer(connection)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1)
            except OSError:  # the client closed the connection
                pass

    def answer(self, connection):
        request = b""
        while b"\r\n\r\n" not in request:
            data = connection.recv(4096)
            if not data:
                return
            request += data
            if request[0] == 0x16 and not self.context:  # how TLS begins
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                return
        lines = request.decode("latin-1").split("\r\n")
        self.requests.append(lines)
        path = lines[0].split(" ")[1].split("?")[0]
        kind, _, page = path[1:].partition("/")
        if kind in NAMES and re.fullmatch("(packed/)?pprof/(heap|profile|allocs|block|symbol)", page):
            self.answer_with_names(connection, kind, page, request)
        elif path == self.symbol_page:
            self.answer_with_names(connection, "good", "symbol", request)
        elif path in FIXED:
            connection.sendall(FIXED[path])
        else:
            missing = lambda *_: connection.sendall(FIXED["/404"])
            getattr(self, path[1:].replace("-", "_"), missing)(connection, lines)

    def answer_with_names(self, connection, kind, page, request):
        profiles = {"pprof/heap": HEAP, "pprof/block": BLOCK_TEXT, "pprof/profile": CPU, "packed/pprof/heap": gzip.compress(HEAP),
                    "pprof/allocs": make_bare_pprof(), "packed/pprof/allocs": gzip.compress(make_bare_pprof())}
        if page in profiles:
            connection.sendall(whole(profiles[page]))
            return
        is_post = request.startswith(b"POST ")
        begin, _, body = request.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", begin)[1]) if is_post else 0
        while len(body) < length:
            body += connection.recv(4096)
        self.requests[-1].append(body.decode())
        text = NAMES[kind][is_post]
        if text is None:
            time.sleep(600)
        elif text == b"0x401010 ":
            self.send_forever(connection, b"HTTP/1.0 200 OK\r\n\r\n" + LINES, b"0x1 x\n" * 10000)
        elif text == b"0x1 x\n":
            self.send_forever(connection, b"HTTP/1.0 200 OK\r\n\r\n", text * 1000, pause=0.1)
        else:
            connection.sendall(text)

    @staticmethod
    def send_forever(connection, begin, block, pause=0):
        connection.sendall(begin)
        while True:
            connection.sendall(block)
            time.sleep(pause)

    def endless(self, connection, _):
        self.send_forever(connection, b"HTTP/1.0 200 OK\r\n\r\n" + ENDLESS, BLOCK)

    def endless_chunks(self, connection, _):
        self.send_forever(connection, head(**CHUNKED) + chunk(ENDLESS), chunk(BLOCK))

    def bomb(self, connection, _):
        packed = gzip.compress(ENDLESS + bytes(1 << 26))
        connection.sendall(whole(packed, Content_Encoding="gzip"))

    def endless_text(self, connection, _):
        self.send_forever(connection, b"HTTP/1.0 200 OK\r\n\r\n", b"fine " * 10000)

    def endless_headers(self, connection, _):
        self.send_forever(connection, b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n" * 1000)

    def endless_line(self, connection, _):
        self.send_forever(connection, b"HTTP/1.1 200 OK\r\nX-More: ", b"x" * 10000)

    def endless_interim(self, connection, _):
        self.send_forever(connection, b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)

    def stall(self, _connection, _):
        time.sleep(600)

    def stall_in_body(self, connection, _):
        connection.sendall(head(length=len(PACKED)) + PACKED[:70000])
        time.sleep(600)

    def stall_in_refusal(self, connection, _):
        connection.sendall(head("503 Service Unavailable", 1000) + b"busy, come back later")
        time.sleep(600)

    def stall_in_redirect(self, connection, _):
        connection.sendall(head("302 Found", 1000, Location="/good"))
        time.sleep(600)

    def drip(self, connection, _):
        self.send_forever(connection, head(length=len(PACKED)) + PACKED[:10], b"x", 0.1)

    def drip_head(self, connection, _):
        self.send_forever(connection, b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.1)

    def to_other_host(self, connection, _):
        connection.sendall(whole(b"", "302 Found",
                                 Location="http://me:secret@localhost:%d/good?token=1" % self.port))

    def to_other_port(self, connection, _):
        connection.sendall(whole(b"", "302 Found", Location="http://127.0.0.1:1/good"))

    def guarded(self, connection, lines):
        # "ann:open sesame"
        if "authorization: basic yw5uom9wzw4gc2vzyw1l" in [line.lower() for line in lines]:
            connection.sendall(whole(PACKED))
        else:
            connection.sendall(whole(b"who are you?", "401 Unauthorized",
                                     WWW_Authenticate='Basic realm="x"'))
