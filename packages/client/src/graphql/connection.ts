/** The websocket behind all live queries: `closed` while nobody subscribes. */
export type ConnectionState = 'closed' | 'connecting' | 'open' | 'reconnecting';

export type Connection = {
  state(): ConnectionState;
  subscribe(listener: () => void): () => void;
};

/** `wanted`: the first subscriber came. `released`: the last one left. */
export type ConnectionEvent = 'wanted' | 'opened' | 'lost' | 'released';

const NEXT: Record<ConnectionState, Record<ConnectionEvent, ConnectionState>> = {
  closed: { wanted: 'connecting', opened: 'closed', lost: 'closed', released: 'closed' },
  connecting: {
    wanted: 'connecting',
    opened: 'open',
    lost: 'reconnecting',
    released: 'closed',
  },
  open: { wanted: 'open', opened: 'open', lost: 'reconnecting', released: 'closed' },
  reconnecting: {
    wanted: 'reconnecting',
    opened: 'open',
    lost: 'reconnecting',
    released: 'closed',
  },
};

export function createConnection(): Connection & { tell(event: ConnectionEvent): void } {
  const listeners = new Set<() => void>();
  let state: ConnectionState = 'closed';
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(event) {
      const next = NEXT[state][event];
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
