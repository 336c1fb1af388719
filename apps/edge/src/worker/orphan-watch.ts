import type { Clock } from '@longshore/edge-contract';

const CHECK_MS = 5_000;

type OrphanWatchDeps = {
  clock: Clock;
  /** The edge folder was removed: there is no installation any more. */
  isFolderGone(): boolean;
  stop(): void;
};

/**
 * For a worker whose keeper was killed. It serves what it knows until the next keeper takes over, however long nobody starts one:
 * visitors lose nothing meanwhile.
 */
export function watchOrphan({ clock, isFolderGone, stop }: OrphanWatchDeps): void {
  if (isFolderGone()) stop();
  else clock.setTimeout(() => watchOrphan({ clock, isFolderGone, stop }), CHECK_MS);
}
