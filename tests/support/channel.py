"""A webhook that appends the text of each message to a file. Prints the port that it listens at."""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Channel(BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            file.write(message["text"] + "\n")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Channel)
print(server.server_port, flush=True)
server.serve_forever()
