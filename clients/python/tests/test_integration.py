"""The library in a process of its own, spoken to as the host speaks, and without a host."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from .served import integration as served

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from denobridge_integration import HOOKS, MAXIMUM_LINE, Integration, fail  # noqa: E402

SCHEMA = HERE.parents[2] / "docs" / "integrations" / "protocol.schema.json"

INITIALIZE = {
    "core_version": "1.0.0",
    "protocol_version": 1,
    "available_hooks": list(HOOKS),
    "host": {"name": "terraform", "version": None, "kind": "terraform"},
    "run": {"id": "r", "seq": 0},
    "settings": {"most": 3},
    "of_a_later_version": True,
}


class Child:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "served.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def write(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def send(self, method, params):
        self.id += 1
        message = {"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}
        self.write(json.dumps(message).encode() + b"\n")
        return self.id

    def next(self):
        return json.loads(self.process.stdout.readline())

    def call(self, method, params):
        self.send(method, params)
        return self.next()

    def plan(self, what, **more):
        state = {"what": what, **more}
        return self.send("pre_plan_resource", {"resource": {"type": "a"}, "proposed_state": state})

    def end(self):
        out, errors = self.process.communicate(timeout=20)
        return out, errors.decode(), self.process.returncode

    @classmethod
    def started(cls):
        child = cls()
        child.send("initialize", INITIALIZE)
        child.log, child.initialized = child.next(), child.next()
        return child


class Protocol(unittest.TestCase):
    maxDiff = None

    def test_the_hooks_are_those_of_the_protocol(self):
        names = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
        params = {name[: -len(".params")] for name in names if name.endswith(".params")}
        self.assertEqual(params - {"initialize", "shutdown", "log", "cancel"}, set(HOOKS))

    def test_it_says_what_it_is(self):
        with Child.started() as child:
            self.assertEqual(child.log["params"], {"level": "info", "message": "settings: {'most': 3}"})
            self.assertNotIn("id", child.log)
            self.assertEqual(
                child.initialized["result"],
                {
                    "name": "test",
                    "version": "1.2.3",
                    "subscribed_hooks": ["pre_plan_resource", "plan_stage_complete", "apply_stage_complete"],
                    "filter": {"types": ["a"], "actions": ["create"]},
                },
            )

    def test_it_answers_in_every_way_there_is(self):
        with Child.started() as child:
            for what, result in [
                ("deny", {"status": "fail", "messages": ["not allowed"], "action": "halt"}),
                ("warn", {"status": "warn", "messages": ["one", "two"], "metadata": {"count": 2}}),
                ("pass", {"status": "pass", "metadata": {"seen": True}}),
                ("nothing", {"status": "pass"}),
            ]:
                child.plan(what)
                self.assertEqual(child.next()["result"], result)
            stage = child.call("apply_stage_complete", {"counts": {"create": 2}})
            self.assertEqual(stage["result"]["messages"], ["2 created"])

    def test_what_is_raised_is_an_error(self):
        with Child.started() as child:
            child.plan("raise")
            self.assertEqual(child.next()["error"], {"code": -32603, "message": "KeyError: 'no such rule'"})
            child.plan("leave")
            self.assertEqual(child.next()["error"], {"code": -32603, "message": "SystemExit: over"})
            child.plan("not json")
            self.assertIn("not JSON serializable", child.next()["error"]["message"])
            self.assertEqual(child.call("post_plan_resource", {})["error"]["code"], -32601)
            child.plan("pass")
            self.assertEqual(child.next()["result"]["status"], "pass", "it goes on")

    def test_calls_are_answered_out_of_order_and_given_up_by_id(self):
        with Child.started() as child:
            slow, quick = child.plan("wait"), child.plan("pass")
            self.assertEqual(child.next()["id"], quick)
            child.write(b'{"jsonrpc":"2.0","method":"cancel","params":{"id":%d}}\n' % slow)
            given_up = child.next()
            self.assertEqual((given_up["id"], given_up["result"]["messages"]), (slow, ["given up"]))

    def test_only_the_protocol_is_on_standard_output(self):
        with Child.started() as child:
            child.plan("print")
            self.assertEqual(child.next()["params"]["message"], "logged at a hook")
            self.assertEqual(child.next()["result"], {"status": "pass"})
            child.call("shutdown", {"reason": "interrupted"})
            out, errors, code = child.end()
            self.assertEqual((out, code), (b"", 0))
            self.assertIn("printed at a hook\nshut down: interrupted", errors)

    def test_shutdown_waits_for_what_runs(self):
        with Child.started() as child:
            child.plan("size", text="x")
            end = child.send("shutdown", {"reason": "complete"})
            self.assertEqual(child.next()["result"]["messages"], ["1 characters"])
            self.assertEqual(child.next(), {"jsonrpc": "2.0", "id": end, "result": None})

    def test_it_ends_with_the_host_whatever_runs(self):
        with Child.started() as child:
            child.plan("wait")
            child.process.stdin.close()
            child.process.stdin = None
            self.assertEqual(child.end()[2], 0)

    def test_lines_have_a_limit(self):
        with Child.started() as child:
            child.plan("size", text="x" * (MAXIMUM_LINE - 512))
            self.assertEqual(child.next()["result"]["messages"], [f"{MAXIMUM_LINE - 512} characters"])
            child.plan("flood")
            self.assertRegex(child.next()["error"]["message"], r"the answer has 9\d+ bytes, more than 8388608")

    def test_damaged_and_odd_lines_are_answered(self):
        with Child.started() as child:
            child.write(b"\n{\n")
            self.assertEqual(child.next()["error"]["code"], -32700)
            child.write(b"[1]\n")
            self.assertEqual(child.next()["error"]["code"], -32600)
            child.write(b'{"jsonrpc":"2.0","method":"a notification"}\n')
            child.plan("odd")
            self.assertEqual(child.next()["result"]["messages"], ["? and \u2028 é"])

    def test_another_version_is_refused_and_a_hook_comes_after_the_beginning(self):
        with Child() as child:
            child.plan("pass")
            self.assertIn('came before "initialize"', child.next()["error"]["message"])
            other = child.call("initialize", {**INITIALIZE, "protocol_version": 2})
            self.assertIn("speaks version 1 of the protocol, not 2", other["error"]["message"])
            refused = child.call("initialize", {**INITIALIZE, "settings": {"refuse": True}})
            self.assertEqual(refused["error"]["message"], "RuntimeError: not with these settings")


class WithoutAHost(unittest.TestCase):
    def test_a_hook_is_asked(self):
        event = {"resource": {"type": "a"}, "proposed_state": {"what": "deny"}}
        self.assertEqual(served.ask("pre_plan_resource", event), fail("not allowed", halt=True))

    def test_settings_are_given(self):
        integration = Integration("settings")

        @integration.hook("plan_stage_start")
        def start(event, context):
            return fail(context.settings["why"])

        self.assertEqual(integration.ask("plan_stage_start", {}, {"why": "so"})["messages"], ["so"])

    def test_a_hook_that_there_is_not_is_told(self):
        with self.assertRaisesRegex(ValueError, "there is no hook 'pre_destroy'; there are init_stage_start, "):
            Integration("x").hook("pre_destroy")


if __name__ == "__main__":
    unittest.main()
