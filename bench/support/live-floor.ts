import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { type DatabaseDoor, databaseOf } from './bare-postgres.ts';
import type { Scope } from './scope.ts';

/** Each resolves when the news came back to us. */
export type LiveFloor = { throughPostgres(): Promise<void>; throughWebsocket(): Promise<void> };

const MESSAGE = JSON.stringify({ message: 'as long as the answer of a live query '.repeat(10) });

/** What no live query can do without: a row stored for good, NOTIFY, and a websocket. */
export async function openLiveFloor(serverPid: number, scope: Scope): Promise<LiveFloor> {
  const throughPostgres = await openPostgres(databaseOf(serverPid), scope);
  const throughWebsocket = await openEcho(scope);
  return { throughPostgres, throughWebsocket };
}

async function openPostgres(door: DatabaseDoor, scope: Scope): Promise<() => Promise<void>> {
  const [writer, listener] = [1, 2].map(() => new pg.Client(door)) as [pg.Client, pg.Client];
  for (const client of [writer, listener]) {
    await client.connect();
    scope.defer(() => client.end());
  }
  await writer.query('create table floor as select 0 as number');
  await listener.query('listen floor');
  return async () => {
    const told = once(listener, 'notification');
    // One message, so one transaction.
    await writer.query('update floor set number = number + 1; notify floor');
    await told;
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
  await heard(socket, 'open');
  return async () => {
    const echoed = heard(socket, 'message');
    socket.send(MESSAGE);
    await echoed;
  };
}

function heard(socket: WebSocket, event: 'open' | 'message'): Promise<void> {
  return new Promise((resolve) => {
    socket.addEventListener(event, () => resolve(), { once: true });
  });
}
