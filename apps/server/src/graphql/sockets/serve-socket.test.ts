import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { serveSocket } from './serve-socket.ts';
import type { Peer, Subprotocol } from './subprotocol.ts';

/** Serves a socket that only records the calls to it. */
function serve(every: 'tick' | 'ping', receive: () => Promise<void> = async () => {}) {
  const done: string[] = [];
  const errors: unknown[] = [];
  const record = (call: string) => () => void done.push(call);
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    ping: record('ping'),
    terminate: record('terminate'),
  });
  const peer = {
    outbox: { send: async (text: string) => void done.push(text), stalledMs: () => 0 },
    close: ([code]: [number]) => void done.push(`close ${code}`),
  } as unknown as Peer;
  const subprotocol: Subprotocol = {
    keepAlive: { text: 'keep-alive', every },
    open: () => ({ receive, closed: async (code) => void done.push(`closed ${code}`) }),
  };
  const tick = serveSocket(socket as unknown as WebSocket, {
    peer,
    subprotocol,
    logError: (error) => void errors.push(error),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { socket, tick, done, errors, settled };
}

it('keeps a legacy socket alive at every tick, and pings at some', () => {
  const { tick, done, socket } = serve('tick');
  for (const at of [1, 2, 3, 4, 5]) tick(at);
  expect(done).toEqual([...Array(4).fill('keep-alive'), 'ping', 'keep-alive']);
  socket.emit('pong');
  done.length = 0;
  tick(10);
  expect(done).toEqual(['ping', 'keep-alive']);
});

it('keeps a modern socket alive with pings', () => {
  const { tick, done } = serve('ping');
  for (const at of [1, 2, 3, 4, 5]) tick(at);
  expect(done).toEqual(['ping', 'keep-alive']);
});

it.each([
  ['disconnects a client that does not respond', undefined, ['terminate']],
  ['counts a message as a response', 'message', ['ping', 'keep-alive']],
])('%s', (_, event, actions) => {
  const { tick, done, socket } = serve('ping');
  tick(5);
  done.length = 0;
  if (event !== undefined) socket.emit(event, Buffer.from('{}'));
  tick(10);
  expect(done).toEqual(actions);
});

it('ignores messages after it has closed the socket', () => {
  const received: string[] = [];
  const { socket } = serve('tick', async () => void received.push('message'));
  socket.emit('message', Buffer.from('{}'));
  socket.readyState = 2;
  socket.emit('message', Buffer.from('{}'));
  expect(received).toEqual(['message']);
});

it('closes the session with the socket', async () => {
  const { socket, done, settled } = serve('tick');
  socket.emit('close', 4205, Buffer.from('Client Restart'));
  await settled();
  expect(done).toEqual(['closed 4205']);
});

it('closes the socket after an unexpected error, and logs it', async () => {
  const unexpected = new Error('unexpected');
  const { socket, done, errors, settled } = serve('tick', () => Promise.reject(unexpected));
  socket.emit('message', Buffer.from('{}'));
  await settled();
  expect(done).toEqual(['close 4500']);
  expect(errors).toEqual([unexpected]);
});
