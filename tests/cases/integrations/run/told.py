"""Says how often it is told to stop."""

import signal
import time

told = 0


def tell(*_):
    global told
    told += 1


signal.signal(signal.SIGTERM, tell)
while not told:
    time.sleep(0.1)
time.sleep(0.5)
print(f"told {told} times", flush=True)
