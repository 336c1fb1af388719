import { connect, type Socket } from 'node:net';
import type { Address } from '../engines/engine.ts';
import { LIMITS } from './limits.ts';

/** A connection to an app that gives up when it is not made in time. */
export function connectTo({ host, port }: Address, allowHalfOpen = false): Socket {
  const socket = connect({ host, port, allowHalfOpen, noDelay: true });
  const timer = setTimeout(() => {
    socket.destroy(new Error('The app did not accept the connection in time'));
  }, LIMITS.connectMs);
  const settled = () => clearTimeout(timer);
  socket.once('connect', settled);
  socket.once('close', settled);
  return socket;
}
