import { once } from 'node:events';
import { systemClock } from '@longshore/edge-contract';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startSocketServer } from '../../../test/graphql/sockets/socket-server.ts';
import { TICK_MS } from './keep-alive.ts';

/** The real clock; `pendingTicks` counts the timers of ticks. */
function clockWithTicks() {
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
  return { clock, pendingTicks: () => waiting.size };
}

it('has no timer while no socket is open', async () => {
  const { clock, pendingTicks } = clockWithTicks();
  const server = await startSocketServer({ clock });
  onTestFinished(server.stop);
  expect(pendingTicks()).toBe(0);
  const sockets = [new WebSocket(server.url), new WebSocket(server.url)];
  for (const socket of sockets) await once(socket, 'open');
  await expect.poll(pendingTicks).toBe(1);
  for (const socket of sockets) socket.close();
  await expect.poll(pendingTicks).toBe(0);
});
