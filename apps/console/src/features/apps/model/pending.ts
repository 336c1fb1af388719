import type { AppResource } from '@longshore/contract';

/** A wish on its way to the server. Spec §4: hibernating, waking, updating; and any other mutation. */
export type Pending = {
  kind: 'hibernating' | 'waking' | 'updating' | 'deleting';
  /** The app's `updatedAt` when the wish was made. */
  since: string;
};

/**
 * A wish is over when the status becomes syncing. A fast server may be done before we see that word, so a
 * changed row that already shows the wish ends it too.
 */
export function isOver(pending: Pending, app: AppResource): boolean {
  if (app.status === 'syncing') return true;
  return app.updatedAt !== pending.since && isGranted(pending, app.values.instances);
}

function isGranted({ kind }: Pending, instances: number): boolean {
  switch (kind) {
    case 'hibernating':
      return instances === 0;
    case 'waking':
      return instances > 0;
    case 'updating':
      return true;
    case 'deleting':
      return false;
  }
}
