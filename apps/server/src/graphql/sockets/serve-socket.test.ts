import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { serve } from './serve-socket.ts';
import type { Dialect, Peer } from './subprotocol.ts';

/** A socket that only remembers what was done with it. */
function served(every: 'tick' | 'ping', hear: () => Promise<void> = async () => {}) {
  const done: string[] = [];
  const errors: unknown[] = [];
  const note = (what: string) => () => void done.push(what);
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    ping: note('ping'),
    terminate: note('hang up'),
  });
  const peer = {
    outbox: { send: async (text: string) => void done.push(text), stalledMs: () => 0 },
    close: ([code]: [number]) => void done.push(`close ${code}`),
  } as unknown as Peer;
  const dialect: Dialect = {
    keepAlive: { text: 'still here', every },
    open: () => ({ hear, ended: async (code) => void done.push(`ended ${code}`) }),
  };
  const tick = serve(socket as unknown as WebSocket, {
    peer,
    dialect,
    logError: (error) => void errors.push(error),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { socket, tick, done, errors, settled };
}

it('keeps a legacy socket alive at every tick, and asks now and then who is there', () => {
  const { tick, done, socket } = served('tick');
  for (const at of [1, 2, 3, 4, 5]) tick(at);
  expect(done).toEqual([...Array(4).fill('still here'), 'ping', 'still here']);
  socket.emit('pong');
  done.length = 0;
  tick(10);
  expect(done).toEqual(['ping', 'still here']);
});

it('keeps a modern socket alive by asking', () => {
  const { tick, done } = served('ping');
  for (const at of [1, 2, 3, 4, 5]) tick(at);
  expect(done).toEqual(['ping', 'still here']);
});

it.each([
  ['hangs up on who does not answer', undefined, ['hang up']],
  ['takes a message for an answer', 'message', ['ping', 'still here']],
])('%s', (_, event, acts) => {
  const { tick, done, socket } = served('ping');
  tick(5);
  done.length = 0;
  if (event !== undefined) socket.emit(event, Buffer.from('{}'));
  tick(10);
  expect(done).toEqual(acts);
});

it('does nothing more for who was sent away and goes on talking', () => {
  const heard: string[] = [];
  const { socket } = served('tick', async () => void heard.push('heard'));
  socket.emit('message', Buffer.from('{}'));
  socket.readyState = 2;
  socket.emit('message', Buffer.from('{}'));
  expect(heard).toEqual(['heard']);
});

it('ends the conversation with the socket', async () => {
  const { socket, done, settled } = served('tick');
  socket.emit('close', 4205, Buffer.from('Client Restart'));
  await settled();
  expect(done).toEqual(['ended 4205']);
});

it('closes on a surprise, and tells', async () => {
  const surprise = new Error('nobody foresaw it');
  const { socket, done, errors, settled } = served('tick', () => Promise.reject(surprise));
  socket.emit('message', Buffer.from('{}'));
  await settled();
  expect(done).toEqual(['close 4500']);
  expect(errors).toEqual([surprise]);
});
