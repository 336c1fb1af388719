/** The resource's public word, written by the reconciler alone. Spec §4. */
export type Status = 'syncing' | 'synced' | 'backoff';

export type Badge = 'Ready' | 'Loading' | 'Error' | 'Hibernated' | 'Unknown';

const LABELS: Record<Status, Badge> = { synced: 'Ready', syncing: 'Loading', backoff: 'Error' };

/** Spec §4, Status badge. An app on its way to sleep is still Loading: the badge tells what is. */
export function badgeOf({ status, instances }: { status: string; instances: number }): Badge {
  if (instances === 0 && status !== 'syncing') return 'Hibernated';
  return isStatus(status) ? LABELS[status] : 'Unknown';
}

export function isStatus(status: string): status is Status {
  return Object.hasOwn(LABELS, status);
}
