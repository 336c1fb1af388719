import type { AppResource } from '@longshore/contract';

/** An action that was sent to the server and has not taken effect yet (spec-map 4.2.13). */
export type PendingAction = {
  kind: 'hibernating' | 'waking' | 'updating' | 'deleting';
  /** The app's `updatedAt` when the action was sent. */
  since: string;
};

/**
 * An action has taken effect when the status becomes syncing. A fast server may be done before the console sees that
 * status, so a changed row that already shows the result counts too.
 */
export function hasTakenEffect(action: PendingAction, app: AppResource): boolean {
  if (app.status === 'syncing') return true;
  return app.updatedAt !== action.since && isVisibleIn(app.values.instances, action);
}

function isVisibleIn(instances: number, { kind }: PendingAction): boolean {
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
