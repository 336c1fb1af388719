import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startSocketServer } from '../../../test/graphql/sockets/socket-server.ts';
import { systemClock } from '../../schedule/clock.ts';
import { TICK_MS } from './keep-alive.ts';

/** The real clock; `beats` counts the waits of a tick that are under way. */
function clockWithBeats() {
  const waiting = new Set<unknown>();
  const clock = {
    ...systemClock,
    setTimeout(run: () => void, ms: number) {
      const timer = systemClock.setTimeout(() => {
        waiting.delete(timer);
        run();
      }, ms);
      if (ms === TICK_MS) waiting.add(timer);
      return timer;
    },
    clearTimeout(timer: unknown) {
      waiting.delete(timer);
      systemClock.clearTimeout(timer);
    },
  };
  return { clock, beats: () => waiting.size };
}

it('waits for nothing while nobody is connected', async () => {
  const { clock, beats } = clockWithBeats();
  const server = await startSocketServer({ clock });
  onTestFinished(server.stop);
  expect(beats()).toBe(0);
  const sockets = [new WebSocket(server.url), new WebSocket(server.url)];
  for (const socket of sockets) await once(socket, 'open');
  await expect.poll(beats).toBe(1);
  for (const socket of sockets) socket.close();
  await expect.poll(beats).toBe(0);
});
