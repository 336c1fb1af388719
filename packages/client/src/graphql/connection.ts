import { createStore, type Observable } from '../store.ts';

/** The websocket behind all live queries; `closed` while there are no subscriptions. */
export type ConnectionState = 'closed' | 'connecting' | 'open' | 'reconnecting';

export type Connection = Observable<ConnectionState>;

/** `wanted`: the first subscription started. `released`: the last one ended. */
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

export function createConnection(): Connection & { dispatch(event: ConnectionEvent): void } {
  const { state, subscribe, set } = createStore<ConnectionState>('closed');
  return { state, subscribe, dispatch: (event) => set(NEXT[state()][event]) };
}
