#!/bin/sh
# Starts a browser below a filter of system calls, where bubblewrap works.
bwrap --dev-bind / / true 2>/dev/null || exec "$CHROMIUM" "$@"
exec bwrap --dev-bind / / --die-with-parent --seccomp 9 "$CHROMIUM" "$@" 9<"$SYSTEM_CALL_FILTER"
