import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { bearer } from '../../../test/backend.ts';
import {
  type SocketServer,
  startSocketServer,
} from '../../../test/graphql/sockets/socket-server.ts';

const QUERY = 'subscription { resources { message values } }';
const CHANGES = 40;

/** Twenty megabytes take long on a busy machine. */
const LONG = { timeout: 60_000 };

let server: SocketServer;
let ada: Session;
let rowId: string;
beforeAll(async () => {
  server = await startSocketServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ada = await server.backend.signUp();
  const { rows } = await server.backend.pool.query<{ id: string }>(
    "insert into public.resources (user_id, chart_name, chart_version, values) values ($1, 'project', '0', jsonb_build_object('text', repeat('x', 500000))) returning id",
    [ada.user.id],
  );
  rowId = rows[0]?.id as string;
});

/** Records the number in each result. While it is paused, it takes nothing from the network. */
async function watch() {
  const socket = new WebSocket(server.url, 'graphql-transport-ws');
  onTestFinished(() => socket.terminate());
  const received: string[] = [];
  await new Promise((resolve) => socket.once('open', resolve));
  socket.on('message', (bytes) => {
    const text = String(bytes);
    if (text.includes('connection_ack')) {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY } }));
    } else if (text.includes('"next"')) {
      received.push(/"message":\s?"?([^",]+)/.exec(text)?.[1] ?? text.slice(0, 100));
    }
  });
  socket.send(JSON.stringify({ type: 'connection_init', payload: { headers: bearer(ada) } }));
  await expect.poll(() => received).toEqual(['null']);
  return { socket, received };
}

/** Each change causes a result of half a megabyte. */
const change = (number: number) =>
  server.backend.pool.query('update public.resources set message = $1 where id = $2', [
    String(number),
    rowId,
  ]);

/** Changes the row more often than network buffers can hold, and checks that the fast client gets each result. */
async function changeOften(fast: { received: string[] }): Promise<void> {
  for (let number = 1; number <= CHANGES; number += 1) {
    await change(number);
    await expect.poll(() => fast.received.at(-1)).toBe(String(number));
  }
}

it('do not delay others, and get the latest result instead of all they missed', LONG, async () => {
  const [slow, fast] = [await watch(), await watch()];
  slow.socket.pause();
  await changeOften(fast);
  slow.socket.resume();
  await expect.poll(() => slow.received.at(-1)).toBe(String(CHANGES));
  expect(fast.received).toHaveLength(CHANGES + 1);
  // The results that the network took before it was full, the latest one, and few others.
  expect(slow.received.length).toBeLessThan(CHANGES - 10);
});

it('are disconnected if they read nothing for half a minute', LONG, async () => {
  const [slow, fast] = [await watch(), await watch()];
  slow.socket.pause();
  slow.socket.on('error', () => {});
  await changeOften(fast);
  server.backend.clock.ahead += 31_000;
  // A client that does not read notices the disconnect only when it sends.
  const isOpen = () => {
    slow.socket.ping();
    return slow.socket.readyState === WebSocket.OPEN;
  };
  await expect.poll(isOpen).toBe(false);
  expect(fast.socket.readyState).toBe(WebSocket.OPEN);
});
