import { connect } from 'node:net';
import type { Address } from '../engine.ts';

/** Where a container is reached: at its own address, where this machine has a way there, and at its published one. */
export type Endpoints = { direct: Address | undefined; published: Address };

const CONNECT_MS = 500;
/** Docker accepts at the published door for an app that does not listen, and closes at once. */
const STAYS_OPEN_MS = 150;
/** Somebody is there and says no, unlike a way that does not lead there. */
const CONNECTION_REFUSED = 'ECONNREFUSED';

/** Whether an app accepts connections; one that only speaks websockets answers no more than that. */
export async function acceptsConnections({ direct: own, published }: Endpoints): Promise<boolean> {
  const direct = own === undefined ? 'no way' : await tryConnect(own);
  return direct === 'no way' ? await staysOpen(published) : direct === 'open';
}

function tryConnect({ host, port }: Address): Promise<'open' | 'refused' | 'no way'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const settle = (answer: 'open' | 'refused' | 'no way') => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle('open'));
    socket.once('timeout', () => settle('no way'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      settle(code === CONNECTION_REFUSED ? 'refused' : 'no way');
    });
  });
}

/** A connection that is not closed at once has somebody at its other end. */
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
