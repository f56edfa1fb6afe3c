import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import audit

RUN = {"id": "r", "seq": 1, "host": "terraform", "workspace": "default", "project": "p", "stage": "apply", "pass": 1}
PROGRAM = Path(audit.__file__).resolve()


def applied(**more):
    return {
        "run": RUN,
        "resource": {"type": "example_server", "address": "example_server.web", "urn": None, "id": "1"},
        "action": "update",
        "prior_state": {"name": "web", "tags": {"team": "canary-before"}, "disks": [{"size": 1}]},
        "new_state": {"name": "web", "tags": {"team": "canary-after"}, "disks": [{"size": 1}, {"size": 2}]},
        "redacted": {},
        "unknown": {},
        "diagnostics": [],
        "duration_ms": 5,
        **more,
    }


class Audit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "audit.jsonl"

    def ask(self, hook, event):
        return audit.integration.ask(hook, event, {"file": str(self.file)})

    def lines(self):
        return [json.loads(line) for line in self.file.read_text("utf-8").splitlines()]

    def test_it_has_what_changed_and_no_values(self):
        self.assertEqual(self.ask("post_apply_resource", applied()), {"status": "pass"})
        [line] = self.lines()
        self.assertEqual(line["changed"], ["disks[1].size", "tags.team"])
        self.assertEqual((line["object"], line["id"], line["action"]), ("example_server.web", "1", "update"))
        self.assertEqual((line["failed"], line["duration_ms"]), (False, 5))
        self.assertTrue(line["time"] and line["user"])
        self.assertNotIn("canary", self.file.read_text("utf-8"))

    def test_objects_that_come_and_go_have_all_their_paths(self):
        state = {"name": "web"}
        self.assertEqual(audit.changed(None, state), ["name"])
        self.assertEqual(audit.changed(state, None), ["name"])
        self.assertEqual(audit.changed(state, dict(state)), [])

    def test_failures_are_told(self):
        error = {"severity": "error", "summary": "s", "detail": "d", "attribute": ""}
        self.ask("post_apply_resource", applied(diagnostics=[error]))
        self.assertTrue(self.lines()[0]["failed"])

    def test_stages_have_their_counts(self):
        counts = {"create": 1}
        event = {"run": RUN, "operation": "apply", "workspace": "default", "counts": counts, "summary": "1 to create"}
        self.ask("apply_stage_complete", event)
        [line] = self.lines()
        self.assertEqual((line["counts"], line["summary"]), (counts, "1 to create"))

    def test_the_chain_shows_what_was_changed_removed_or_put_in(self):
        for _ in range(4):
            self.ask("post_apply_resource", applied())
        self.assertEqual(audit.verify(self.file), [])
        whole = self.file.read_bytes().splitlines(keepends=True)
        for broken, complaint in [
            ([whole[0], whole[1].replace(b"update", b"delete"), *whole[2:]], "line 3 does not follow"),
            ([whole[0], *whole[2:]], "line 2 does not follow"),
            ([*whole[:2], whole[1], *whole[2:]], "line 3 does not follow"),
            ([*whole[:3], b"{}\n"], "line 4 is damaged"),
        ]:
            self.file.write_bytes(b"".join(broken))
            self.assertIn(complaint, audit.verify(self.file)[0])
            command = [sys.executable, str(PROGRAM), "verify", str(self.file)]
            told = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(told.returncode, 1)
            self.assertIn(complaint, told.stderr)

    def test_it_goes_on_after_an_interruption(self):
        self.ask("post_apply_resource", applied())
        with open(self.file, "ab") as file:
            file.write(b'{"time":"half a li')
        self.ask("post_apply_resource", applied())
        self.assertEqual(audit.verify(self.file), ["line 2 is damaged"])
        self.ask("post_apply_resource", applied())
        self.assertEqual(audit.verify(self.file), ["line 2 is damaged"])

    def test_long_lines_are_found_again(self):
        for _ in range(3):
            self.ask("post_apply_resource", applied(new_state={"x" * 9000: 1}))
        self.assertEqual(audit.verify(self.file), [])

    def test_processes_share_a_log(self):
        work = f"import audit, pathlib\nfor _ in range(20): audit.add(pathlib.Path({str(self.file)!r}), {{}})"
        environment = {**os.environ, "PYTHONPATH": str(PROGRAM.parent)}
        children = [subprocess.Popen([sys.executable, "-c", work], env=environment) for _ in range(3)]
        self.assertEqual([child.wait() for child in children], [0, 0, 0])
        self.assertEqual(len(self.lines()), 60)
        self.assertEqual(audit.verify(self.file), [])

    def test_a_log_that_cannot_be_written_is_a_warning(self):
        result = audit.integration.ask("post_apply_resource", applied(), {"file": str(self.file / "no" / "where")})
        self.assertEqual(result["status"], "warn")
        self.assertIn("nothing is audited", result["messages"][0])


if __name__ == "__main__":
    unittest.main()
