"""A link between two network namespaces that delays, loses and doubles frames: link_relay.py LEFT RIGHT DELAY_MS LOSS_PERCENT.

Makes a tap named "link" in each namespace and passes frames between them until it is ended. For kernels without netem."""
import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

SET_INTERFACE = 0x400454CA  # TUNSETIFF
TAP_WITHOUT_HEADER = 0x0002 | 0x1000  # IFF_TAP, IFF_NO_PI
NETWORK = 0x40000000  # CLONE_NEWNET


def make_tap(namespace):
    """A tap in a namespace that `ip netns add` made; the process stays there, which does not matter to a tap that is open."""
    folder = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(folder, NETWORK) != 0:
        sys.exit(f"cannot enter {namespace}: {os.strerror(ctypes.get_errno())}")
    os.close(folder)
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, SET_INTERFACE, struct.pack("16sH22x", b"link", TAP_WITHOUT_HEADER))
    return tap


def main(left, right, delay, loss):
    taps = [make_tap(left), make_tap(right)]
    other = {taps[0]: taps[1], taps[1]: taps[0]}
    chance = random.Random(1)
    waiting = []  # (time, number, tap, frame)
    passed = lost = 0
    print("ready", flush=True)
    while True:
        pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for tap in select.select(taps, [], [], pause)[0]:
            frame = os.read(tap, 65536)
            if chance.random() < loss:
                lost += 1
                continue
            passed += 1
            for _ in range(2 if chance.random() < loss / 10 else 1):
                heapq.heappush(waiting, (time.monotonic() + delay * chance.uniform(0.5, 1.5), passed + lost, other[tap], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, tap, frame = heapq.heappop(waiting)
            try:
                os.write(tap, frame)
            except OSError:  # that side is down or full: the frame is lost
                lost += 1
        if (passed + lost) % 64 == 0:
            with open("relay.counts", "w") as counts:
                counts.write(f"{passed} frames passed, {lost} lost\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]) / 1000, float(sys.argv[4]) / 100)
