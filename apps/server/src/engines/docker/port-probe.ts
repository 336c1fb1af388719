import { connect } from 'node:net';
import type { Address } from '../engine.ts';

/** The addresses of a container: its own, if this machine has a route to it, and the published port. */
export type Endpoints = { direct: Address | undefined; published: Address };

const CONNECT_MS = 500;
/** Docker accepts connections to the published port even if the app does not listen, and closes them at once. */
const STAYS_OPEN_MS = 150;
/** The container is reachable but does not listen. */
const CONNECTION_REFUSED = 'ECONNREFUSED';

/** Whether the app accepts TCP connections. No HTTP request: websocket-only apps would not respond to one. */
export async function acceptsConnections({ direct, published }: Endpoints): Promise<boolean> {
  const result = direct === undefined ? 'unreachable' : await tryConnect(direct);
  return result === 'unreachable' ? await staysOpen(published) : result === 'open';
}

function tryConnect({ host, port }: Address): Promise<'open' | 'refused' | 'unreachable'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const settle = (result: 'open' | 'refused' | 'unreachable') => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => settle('open'));
    socket.once('timeout', () => settle('unreachable'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      settle(code === CONNECTION_REFUSED ? 'refused' : 'unreachable');
    });
  });
}

/** A connection that stays open was accepted by the app. */
function staysOpen({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (isOpen: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen);
    };
    const timer = setTimeout(() => settle(socket.readyState === 'open'), STAYS_OPEN_MS);
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('end', () => settle(false));
    socket.once('close', () => settle(false));
  });
}
