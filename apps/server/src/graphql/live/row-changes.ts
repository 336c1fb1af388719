import type { Change, RowTable } from '../../db/change.ts';

/** Rows of one owner, or of everybody if there is none, in some tables. */
export type Rows = { owner: string | undefined; tables: ReadonlySet<RowTable> };

export type RowChanges = {
  /** Calls back when such a row may have changed. Answers how to stop. */
  onChange(rows: Rows, changed: () => void): () => void;
};

type Listener = { tables: ReadonlySet<RowTable>; changed: () => void };

/** Sorts the changes of all rows by whose they are and where, so that a live query hears only of its own. */
export function createRowChanges(
  listen: (listener: (change: Change) => void) => () => void,
): RowChanges {
  const listeners = new Map<string | undefined, Set<Listener>>();

  function tell(owner: string | undefined, table: RowTable): void {
    for (const { tables, changed } of listeners.get(owner) ?? []) if (tables.has(table)) changed();
  }

  listen((change) => {
    if (change.kind === 'session-end') return;
    if (change.kind === 'missed') {
      for (const own of listeners.values()) for (const { changed } of own) changed();
      return;
    }
    const table = change.kind === 'resource' ? 'resources' : change.change.table;
    tell(change.change.userId, table);
    tell(undefined, table);
  });

  return {
    onChange({ owner, tables }, changed) {
      const listener = { tables, changed };
      const own = listeners.get(owner) ?? new Set();
      listeners.set(owner, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(owner) === own) listeners.delete(owner);
      };
    },
  };
}
