"""Serves the folder "site" on the loopback interface, and writes the address into the file that it is given."""

import http.server
import pathlib
import sys


class Site(http.server.SimpleHTTPRequestHandler):
    # For Python, .ts is a kind of video.
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".ts": "application/typescript"}

    def __init__(self, *arguments):
        super().__init__(*arguments, directory="site")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
address = pathlib.Path(sys.argv[1])
address.with_suffix(".new").write_text(f"http://127.0.0.1:{server.server_port}")
address.with_suffix(".new").rename(address)
server.serve_forever()
