import type { Change, RowTable } from '../../db/change.ts';

/** Rows of some tables that belong to one owner, or to any owner if there is none. */
export type Rows = { owner: string | undefined; tables: ReadonlySet<RowTable> };

export type RowChanges = {
  /** Calls back when such a row may have changed. Returns how to stop. */
  onChange(rows: Rows, listener: () => void): () => void;
};

type TableListener = { tables: ReadonlySet<RowTable>; listener: () => void };

/** Dispatches changes by owner and table, so that a live query is notified only of changes to its own rows. */
export function createRowChanges(
  listen: (listener: (change: Change) => void) => () => void,
): RowChanges {
  const byOwner = new Map<string | undefined, Set<TableListener>>();

  function notify(owner: string | undefined, table: RowTable): void {
    for (const { tables, listener } of byOwner.get(owner) ?? []) if (tables.has(table)) listener();
  }

  listen((change) => {
    if (change.kind === 'session-end' || change.kind === 'log') return;
    if (change.kind === 'missed') {
      for (const listeners of byOwner.values()) for (const { listener } of listeners) listener();
      return;
    }
    const table = change.kind === 'resource' ? 'resources' : change.change.table;
    notify(change.change.userId, table);
    notify(undefined, table);
  });

  return {
    onChange({ owner, tables }, listener) {
      const entry = { tables, listener };
      const listeners = byOwner.get(owner) ?? new Set();
      byOwner.set(owner, listeners.add(entry));
      return () => {
        listeners.delete(entry);
        if (listeners.size === 0 && byOwner.get(owner) === listeners) byOwner.delete(owner);
      };
    },
  };
}
