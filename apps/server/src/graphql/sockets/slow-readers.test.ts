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

/** Twenty megabytes take a busy machine a while. */
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

/** Hears the number in each answer; while it is paused, nothing is taken from the network. */
async function watch() {
  const socket = new WebSocket(server.url, 'graphql-transport-ws');
  onTestFinished(() => socket.terminate());
  const heard: string[] = [];
  await new Promise((resolve) => socket.once('open', resolve));
  socket.on('message', (bytes) => {
    const text = String(bytes);
    if (text.includes('connection_ack')) {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY } }));
    } else if (text.includes('"next"')) {
      heard.push(/"message":\s?"?([^",]+)/.exec(text)?.[1] ?? text.slice(0, 100));
    }
  });
  socket.send(JSON.stringify({ type: 'connection_init', payload: { headers: bearer(ada) } }));
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['null']);
  return { socket, heard };
}

/** Each change makes an answer of half a megabyte. */
const change = (number: number) =>
  server.backend.pool.query('update public.resources set message = $1 where id = $2', [
    String(number),
    rowId,
  ]);

/** Changes the row so often that no network holds all the answers, and sees that the quick reader gets each. */
async function changeOften(quick: { heard: string[] }): Promise<void> {
  for (let number = 1; number <= CHANGES; number += 1) {
    await change(number);
    await expect.poll(() => quick.heard.at(-1), { timeout: 5_000 }).toBe(String(number));
  }
}

it('delay nobody, and get the newest answer instead of all they missed', LONG, async () => {
  const [slow, quick] = [await watch(), await watch()];
  slow.socket.pause();
  await changeOften(quick);
  slow.socket.resume();
  await expect.poll(() => slow.heard.at(-1), { timeout: 5_000 }).toBe(String(CHANGES));
  expect(quick.heard).toHaveLength(CHANGES + 1);
  // What the network had taken before it was full, the newest, and little else.
  expect(slow.heard.length).toBeLessThan(CHANGES - 10);
});

it('are sent away when they take nothing for half a minute', LONG, async () => {
  const [slow, quick] = [await watch(), await watch()];
  slow.socket.pause();
  slow.socket.on('error', () => {});
  await changeOften(quick);
  server.backend.clock.ahead += 31_000;
  // Who does not read learns of it only by speaking.
  const isOpen = () => {
    slow.socket.ping();
    return slow.socket.readyState === WebSocket.OPEN;
  };
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(false);
  expect(quick.socket.readyState).toBe(WebSocket.OPEN);
});
