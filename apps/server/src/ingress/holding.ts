import type { Clock } from '../clock.ts';

/** A visitor who waits for an app. `go` looks where to go now; `tooLate` is for when the time is up. */
export type Held = { appId: string; until: number; go(): void; tooLate(): void };

/** Visitors of apps that do not answer yet. Nothing of a request's body is read meanwhile. */
export type Holding = {
  /** Answers false when too many wait already. */
  hold(held: Held): boolean;
  /** For a visitor who left. */
  drop(held: Held): void;
  /** Something changed for an app: its visitors look again. */
  release(appId: string): void;
  /** Sends everybody away. */
  stop(): void;
};

type HoldingDeps = { clock: Clock; heldPerApp: number; heldAtAll: number };

export function createHolding({ clock, heldPerApp, heldAtAll }: HoldingDeps): Holding {
  const timers = new Map<Held, unknown>();
  const waiting = new Map<string, Set<Held>>();

  function drop(held: Held): void {
    if (!timers.has(held)) return;
    clock.clearTimeout(timers.get(held));
    timers.delete(held);
    const others = waiting.get(held.appId);
    others?.delete(held);
    if (others?.size === 0) waiting.delete(held.appId);
  }

  function endOf(held: Held): void {
    drop(held);
    held.tooLate();
  }

  return {
    hold(held) {
      const others = waiting.get(held.appId) ?? new Set();
      if (others.size >= heldPerApp || timers.size >= heldAtAll) return false;
      waiting.set(held.appId, others.add(held));
      const leftMs = Math.max(0, held.until - clock.now());
      timers.set(
        held,
        clock.setTimeout(() => endOf(held), leftMs),
      );
      return true;
    },
    drop,
    release(appId) {
      for (const held of [...(waiting.get(appId) ?? [])]) {
        drop(held);
        held.go();
      }
    },
    stop() {
      for (const held of [...timers.keys()]) endOf(held);
    },
  };
}
