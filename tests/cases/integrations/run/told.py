"""Says how often it is told to stop, from when there is ready.txt."""

import signal
import time

told = 0


def tell(*_):
    global told
    told += 1


signal.signal(signal.SIGTERM, tell)
open("ready.txt", "w").close()
while not told:
    time.sleep(0.1)
time.sleep(0.5)
print(f"told {told} times", flush=True)
