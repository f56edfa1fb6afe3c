"""Says in group.txt which group of processes it is in, and then how often it is told to stop."""

import os
import signal
import time

told = 0


def tell(*_):
    global told
    told += 1


signal.signal(signal.SIGTERM, tell)
with open("group.txt", "w") as file:
    file.write(f"{os.getpgid(0)}\n")
while not told:
    time.sleep(0.1)
time.sleep(0.5)
print(f"told {told} times", flush=True)
