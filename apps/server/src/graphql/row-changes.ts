import type { Change } from '../db/change.ts';

export type RowChanges = {
  /** Calls back when a row of the user may have changed. Answers how to stop. */
  onChange(userId: string, changed: () => void): () => void;
};

/** Sorts the changes of all rows by whose they are: a live query hears only of its own user's. */
export function createRowChanges(
  listen: (listener: (change: Change) => void) => () => void,
): RowChanges {
  const listeners = new Map<string, Set<() => void>>();
  listen((change) => {
    if (change.kind === 'session-end') return;
    const users = change.kind === 'missed' ? [...listeners.keys()] : [change.change.userId];
    for (const userId of users) {
      for (const changed of listeners.get(userId) ?? []) changed();
    }
  });
  return {
    onChange(userId, changed) {
      const own = listeners.get(userId) ?? new Set();
      listeners.set(userId, own.add(changed));
      return () => {
        own.delete(changed);
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId);
      };
    },
  };
}
