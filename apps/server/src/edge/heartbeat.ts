import type { Clock } from '@longshore/edge-contract';

export type Heartbeat = {
  /** The edge sent something. */
  answered(): void;
  stop(): void;
};

type HeartbeatDeps = {
  clock: Clock;
  ping(): void;
  /** Called once. */
  onSilent(): void;
};

const PING_MS = 5_000;
/** Counted, not timed: a pause of the whole machine must not count as one of the edge. */
const SILENT_CHECKS = 3;

/** Finds an edge that hangs: its connection stays open. */
export function startHeartbeat({ clock, ping, onSilent }: HeartbeatDeps): Heartbeat {
  let silentChecks = 0;
  let timer = clock.setTimeout(check, PING_MS);
  ping();

  function check(): void {
    silentChecks += 1;
    if (silentChecks >= SILENT_CHECKS) {
      onSilent();
      return;
    }
    ping();
    timer = clock.setTimeout(check, PING_MS);
  }

  return {
    answered() {
      silentChecks = 0;
    },
    stop: () => clock.clearTimeout(timer),
  };
}
