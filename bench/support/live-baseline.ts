import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { type DatabaseConnection, databaseOf } from './bare-postgres.ts';
import type { Scope } from './scope.ts';

/** Each resolves when the notification has arrived. */
export type LiveBaseline = { throughPostgres(): Promise<void>; throughWebsocket(): Promise<void> };

const MESSAGE = JSON.stringify({ message: 'as long as the result of a live query '.repeat(10) });

/** The minimum of a live query: a committed row, NOTIFY and a websocket. */
export async function openLiveBaseline(serverPid: number, scope: Scope): Promise<LiveBaseline> {
  const throughPostgres = await openPostgres(databaseOf(serverPid), scope);
  const throughWebsocket = await openEcho(scope);
  return { throughPostgres, throughWebsocket };
}

async function openPostgres(
  connection: DatabaseConnection,
  scope: Scope,
): Promise<() => Promise<void>> {
  const [writer, listener] = [1, 2].map(() => new pg.Client(connection)) as [pg.Client, pg.Client];
  for (const client of [writer, listener]) {
    await client.connect();
    scope.defer(() => client.end());
  }
  await writer.query('create table baseline as select 0 as number');
  await listener.query('listen baseline');
  return async () => {
    const notified = once(listener, 'notification');
    // One message, so one transaction.
    await writer.query('update baseline set number = number + 1; notify baseline');
    await notified;
  };
}

async function openEcho(scope: Scope): Promise<() => Promise<void>> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (peer) => peer.on('message', (bytes) => peer.send(bytes)));
  await once(server, 'listening');
  scope.defer(() => server.close());
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  scope.defer(() => socket.close());
  await nextEvent(socket, 'open');
  return async () => {
    const echoed = nextEvent(socket, 'message');
    socket.send(MESSAGE);
    await echoed;
  };
}

function nextEvent(socket: WebSocket, event: 'open' | 'message'): Promise<void> {
  return new Promise((resolve) => {
    socket.addEventListener(event, () => resolve(), { once: true });
  });
}
