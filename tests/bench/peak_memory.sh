#!/bin/bash
# Peak memory of a command in MB:
#
#     peak_memory.sh COMMAND ARGUMENT...
/usr/bin/python3 - "$@" <<'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PY
