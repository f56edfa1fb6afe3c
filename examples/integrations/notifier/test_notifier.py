import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest.mock import patch

import notifier

RUN = {"id": "r", "host": "pulumi", "project": "shop", "workspace": "prod"}
ERROR = {"severity": "error", "summary": "no <quota>", "detail": "d", "attribute": ""}


class Webhook:
    """A server that answers with the statuses given, the last one from then on."""

    def __init__(self, *statuses):
        self.bodies = []
        webhook = self
        left = list(statuses)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                webhook.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(left.pop(0) if len(left) > 1 else left[0])
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook/canary"
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Notifier(unittest.TestCase):
    def ask(self, hook, event, address, seconds=5):
        with patch.dict(os.environ, {"NOTIFY_WEBHOOK": address}):
            return notifier.integration.ask(hook, {"run": RUN, **event}, {"seconds": seconds})

    def test_the_channel_is_told_of_the_beginning_and_the_end(self):
        with Webhook(200) as webhook:
            begun = self.ask("apply_stage_start", {}, webhook.address)
            self.assertEqual(begun, {"status": "pass", "metadata": {"notified": True}})
            self.ask("apply_stage_complete", {"summary": "1 to create", "counts": {"failed": 0}}, webhook.address)
            self.ask("apply_stage_complete", {"summary": "2 to create", "counts": {"failed": 1}}, webhook.address)
        self.assertEqual(
            [body["text"] for body in webhook.bodies],
            [
                "shop/prod (pulumi): apply begins",
                "shop/prod (pulumi): apply is complete (1 to create)",
                "shop/prod (pulumi): apply ended with 1 failed (2 to create)",
            ],
        )
        self.assertEqual(webhook.bodies[0]["blocks"][0]["text"]["type"], "mrkdwn")

    def test_only_what_failed_is_told_of_instances(self):
        resource = {"type": "t", "address": None, "urn": "urn:x", "id": None}
        with Webhook(200) as webhook:
            event = {"resource": resource, "action": "create", "diagnostics": []}
            self.assertEqual(self.ask("post_apply_resource", event, webhook.address), {"status": "pass"})
            self.assertEqual(webhook.bodies, [])
            self.ask("post_apply_resource", {**event, "diagnostics": [ERROR]}, webhook.address)
        expected = "shop/prod (pulumi): create of urn:x failed\n• no &lt;quota&gt;"
        self.assertEqual(webhook.bodies[0]["text"], expected)

    def test_it_is_tried_again(self):
        with Webhook(503, 429, 200) as webhook:
            result = self.ask("apply_stage_start", {}, webhook.address)
        self.assertEqual((result["status"], len(webhook.bodies)), ("pass", 3))

    def test_a_refusal_is_a_warning_without_the_address(self):
        with Webhook(404) as webhook:
            result = self.ask("apply_stage_start", {}, webhook.address)
        self.assertEqual(result, {"status": "warn", "messages": ["nobody was notified: 127.0.0.1: it answered 404"]})
        self.assertEqual(len(webhook.bodies), 1)

    def test_a_server_that_is_down_is_a_warning(self):
        with Webhook(200) as webhook:
            pass
        result = self.ask("apply_stage_start", {}, webhook.address, seconds=0.3)
        self.assertEqual(result["status"], "warn")
        self.assertRegex(result["messages"][0], r"^nobody was notified: 127\.0\.0\.1: .* \(after \d+ tr(y|ies)\)$")
        self.assertNotIn("canary", result["messages"][0])

    def test_without_an_address_nobody_is_notified(self):
        result = self.ask("apply_stage_start", {}, "")
        self.assertEqual(result["messages"], ["nobody is notified: NOTIFY_WEBHOOK is not set"])


if __name__ == "__main__":
    unittest.main()
