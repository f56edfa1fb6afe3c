"""Integrations: programs that see, warn about and deny what providers are about to do under Terraform and Pulumi.

    from denobridge_integration import Integration, fail

    integration = Integration("naming", "1.0.0")

    @integration.hook("pre_plan_resource")
    def pre_plan(event, context):
        state = event["proposed_state"]
        if state and not str(state.get("name", "")).islower():
            return fail(f"{event['resource']['type']} needs a name in small letters")

    if __name__ == "__main__":
        integration.serve()

A hook that returns nothing has nothing against it; what it raises is told as a failure of the integration. Hooks run in
threads, several at a time, and are answered as they finish. Standard output belongs to the protocol: ``print`` writes to
standard error, which the host takes into its log.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Callable, Dict, List, Optional, TypedDict, Union

__all__ = [
    "HOOKS",
    "Context",
    "Filter",
    "HookFunction",
    "Integration",
    "MAXIMUM_LINE",
    "PROTOCOL_VERSION",
    "Result",
    "fail",
    "passed",
    "warn",
]

#: The version of the protocol that this library speaks.
PROTOCOL_VERSION = 1

#: The longest line that the protocol has, in bytes.
MAXIMUM_LINE = 8 << 20

#: The hooks, in the order in which an operation gets to them.
HOOKS = (
    "init_stage_start",
    "init_stage_complete",
    "plan_stage_start",
    "pre_refresh_resource",
    "post_refresh_resource",
    "pre_plan_resource",
    "post_plan_resource",
    "pre_read_data_source",
    "post_read_data_source",
    "pre_open_ephemeral",
    "post_open_ephemeral",
    "plan_stage_complete",
    "apply_stage_start",
    "pre_apply_resource",
    "post_apply_resource",
    "pre_invoke_action",
    "post_invoke_action",
    "apply_stage_complete",
)

_PARSE_ERROR, _INVALID_REQUEST, _METHOD_NOT_FOUND, _INTERNAL_ERROR = -32700, -32600, -32601, -32603


class Result(TypedDict, total=False):
    """What an integration makes of what it is asked about. ``status`` is ``pass``, ``warn`` or ``fail``."""

    status: str
    message: str
    messages: List[str]
    metadata: Dict[str, Any]
    action: str


class Filter(TypedDict, total=False):
    """What an integration wants to be asked about; what it leaves out is not restricted."""

    types: List[str]
    actions: List[str]


def passed(metadata: Optional[Dict[str, Any]] = None) -> Result:
    """Nothing against it."""
    return _result("pass", [], metadata, False)


def warn(*messages: str, metadata: Optional[Dict[str, Any]] = None) -> Result:
    """Worth a warning, of one line or several."""
    return _result("warn", list(messages), metadata, False)


def fail(*messages: str, metadata: Optional[Dict[str, Any]] = None, halt: bool = False) -> Result:
    """It must not be; says why. ``halt`` asks that the operation ends, which counts where ``fail_mode`` is ``hard``."""
    return _result("fail", list(messages), metadata, halt)


def _result(status: str, messages: List[str], metadata: Optional[Dict[str, Any]], halt: bool) -> Result:
    result: Result = {"status": status}
    if messages:
        result["messages"] = messages
    if metadata:
        result["metadata"] = metadata
    if halt:
        result["action"] = "halt"
    return result


class Context:
    """What a hook gets beside its event."""

    def __init__(self, initialize: Dict[str, Any], cancelled: threading.Event, log: Callable[[str, str], None]) -> None:
        #: What was said at the beginning: ``core_version``, ``host``, ``run`` and more.
        self.initialize = initialize
        #: The table ``settings`` of the configuration file.
        self.settings: Dict[str, Any] = initialize.get("settings") or {}
        #: Set when nobody waits for the answer any more.
        self.cancelled = cancelled
        self._log = log

    def log(self, level: str, message: str) -> None:
        """Writes a line to the host's log; the level is ``trace``, ``debug``, ``info``, ``warn`` or ``error``."""
        self._log(level, message)


HookFunction = Callable[[Dict[str, Any], Context], Optional[Result]]


class _RpcError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Integration:
    """An integration: hooks, and how they are asked."""

    def __init__(
        self, name: str, version: str = "0.0.0", *, filter: Optional[Filter] = None, threads: int = 16
    ) -> None:
        """``threads`` is how many hooks run at a time. With 1 they run in the order in which they are asked."""
        self.name = name
        self.version = version
        self.filter = filter
        self._threads = threads
        self._hooks: Dict[str, HookFunction] = {}
        self._begin: Optional[Callable[[Context], None]] = None
        self._end: Optional[Callable[[str], None]] = None

    def hook(self, *names: str) -> Callable[[HookFunction], HookFunction]:
        """Makes a function of an event and a context the hooks of these names."""
        for name in names:
            if name not in HOOKS:
                raise ValueError(f"there is no hook {name!r}; there are {', '.join(HOOKS)}")

        def register(function: HookFunction) -> HookFunction:
            for name in names:
                self._hooks[name] = function
            return function

        return register

    def on_initialize(self, function: Callable[[Context], None]) -> Callable[[Context], None]:
        """Calls a function first; what it raises keeps the integration from being used."""
        self._begin = function
        return function

    def on_shutdown(self, function: Callable[[str], None]) -> Callable[[str], None]:
        """Calls a function last, with the reason: ``complete``, ``interrupted`` or ``error``."""
        self._end = function
        return function

    def serve(self) -> None:
        """Answers on the standard streams until the host has gone or says that it is over. Does not return."""
        source = sys.stdin.buffer
        # A copy: what anybody prints must not get between the messages.
        target = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        sys.stdout = sys.stderr
        self.run(source, target)
        sys.stderr.flush()
        # Hooks that still run are not waited for: nobody does.
        os._exit(0)

    def run(self, source: BinaryIO, target: BinaryIO) -> None:
        """Answers what comes from ``source`` on ``target`` until it ends. For tests; programs call :meth:`serve`."""
        _Connection(self, target).run(source)

    def ask(self, hook: str, event: Dict[str, Any], settings: Optional[Dict[str, Any]] = None) -> Result:
        """Asks at a hook, without a host: for tests."""
        context = Context({"settings": settings or {}}, threading.Event(), lambda level, message: None)
        return self._ask(hook, event, context)

    def _ask(self, hook: str, event: Dict[str, Any], context: Context) -> Result:
        function = self._hooks.get(hook)
        if function is None:
            raise _RpcError(_METHOD_NOT_FOUND, f"Method not found: {hook}")
        return function(event, context) or passed()


class _Connection:
    """One conversation with a host."""

    def __init__(self, integration: Integration, target: BinaryIO) -> None:
        self._integration = integration
        self._target = target
        self._writing = threading.Lock()
        self._running: Dict[Any, threading.Event] = {}
        self._initialize: Optional[Dict[str, Any]] = None
        self._is_over = False

    def run(self, source: BinaryIO) -> None:
        pool = ThreadPoolExecutor(self._integration._threads)
        try:
            while not self._is_over:
                line = source.readline(MAXIMUM_LINE + 2)
                if not line:
                    break
                if not line.endswith(b"\n") and len(line) > MAXIMUM_LINE:
                    raise ValueError(f"a line has more than {MAXIMUM_LINE} bytes")
                self._take(line, pool)
        finally:
            for cancelled in list(self._running.values()):
                cancelled.set()
            pool.shutdown(wait=self._is_over)

    def _take(self, line: bytes, pool: ThreadPoolExecutor) -> None:
        if not line.strip():
            return
        try:
            message = json.loads(line)
        except ValueError as error:
            self._fail(None, _PARSE_ERROR, f"Parse error: {error}")
            return
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            self._fail(message.get("id") if isinstance(message, dict) else None, _INVALID_REQUEST, "Invalid request")
            return
        method, params, id = message["method"], message.get("params") or {}, message.get("id")
        if method == "cancel":
            cancelled = self._running.get(params.get("id"))
            if cancelled is not None:
                cancelled.set()
        elif method == "shutdown":
            # What still runs is answered first.
            pool.shutdown(wait=True)
            self._answer(id, lambda: self._shut_down(params))
            self._is_over = True
        elif method == "initialize":
            self._answer(id, lambda: self._initialized(params))
        elif id is not None:
            cancelled = threading.Event()
            self._running[id] = cancelled
            pool.submit(self._hook, id, method, params, cancelled)

    def _hook(self, id: Any, method: str, params: Dict[str, Any], cancelled: threading.Event) -> None:
        def result() -> Result:
            if self._initialize is None:
                raise RuntimeError(f'"{method}" came before "initialize"')
            return self._integration._ask(method, params, Context(self._initialize, cancelled, self._log))

        try:
            self._answer(id, result)
        finally:
            self._running.pop(id, None)

    def _initialized(self, params: Dict[str, Any]) -> Dict[str, Any]:
        version = params.get("protocol_version")
        if version != PROTOCOL_VERSION:
            raise RuntimeError(f"this integration speaks version {PROTOCOL_VERSION} of the protocol, not {version}")
        integration = self._integration
        if integration._begin is not None:
            integration._begin(Context(params, threading.Event(), self._log))
        self._initialize = params
        answer: Dict[str, Any] = {
            "name": integration.name,
            "version": integration.version,
            "subscribed_hooks": list(integration._hooks),
        }
        if integration.filter is not None:
            answer["filter"] = integration.filter
        return answer

    def _shut_down(self, params: Dict[str, Any]) -> None:
        if self._integration._end is not None:
            self._integration._end(params.get("reason") or "complete")

    def _answer(self, id: Any, make: Callable[[], Union[Result, Dict[str, Any], None]]) -> None:
        try:
            line = _line({"jsonrpc": "2.0", "id": id, "result": make()})
        except _RpcError as error:
            self._fail(id, error.code, str(error))
        except (Exception, SystemExit) as error:
            # The host shows the message; where it was raised is for its log.
            traceback.print_exc(file=sys.stderr)
            self._fail(id, _INTERNAL_ERROR, f"{type(error).__name__}: {error}")
        else:
            if len(line) > MAXIMUM_LINE:
                self._fail(id, _INTERNAL_ERROR, f"the answer has {len(line)} bytes, more than {MAXIMUM_LINE}")
            else:
                self._write(line)

    def _fail(self, id: Any, code: int, message: str) -> None:
        self._write(_line({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))

    def _log(self, level: str, message: str) -> None:
        self._write(_line({"jsonrpc": "2.0", "method": "log", "params": {"level": level, "message": message}}))

    def _write(self, line: bytes) -> None:
        with self._writing:
            try:
                self._target.write(line)
                self._target.flush()
            except (BrokenPipeError, ValueError):
                # The host has gone; its end of our input tells us so too.
                pass


def _line(message: Dict[str, Any]) -> bytes:
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # Half of a surrogate pair, as a name of a file can have, is no UTF-8.
    return text.encode("utf-8", "replace") + b"\n"
