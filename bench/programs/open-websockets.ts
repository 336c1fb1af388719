import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { serveRequests } from '../support/serve-requests.ts';

export type WebsocketSetUp = Record<string, never>;
/** Without a port: says on which port the app listens. */
export type WebsocketRequest = { port?: number; host?: string; count?: number };
export type WebsocketResult = { appPort: number; open: number };

const BATCH = 100;
const ACCEPTED =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** An app that accepts websockets, and clients that open them. No frames are sent. */
await serveRequests(async (_setUp: WebsocketSetUp) => {
  const app = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(ACCEPTED));
  });
  await once(app.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }), 'listening');
  const appPort = (app.address() as AddressInfo).port;
  const sockets: Socket[] = [];
  return async ({ port, host = '', count = 0 }: WebsocketRequest): Promise<WebsocketResult> => {
    while (port !== undefined && sockets.length < count) {
      sockets.push(...(await Promise.all(Array.from({ length: BATCH }, () => open(port, host)))));
    }
    return { appPort, open: sockets.filter(({ destroyed }) => !destroyed).length };
  };
});

async function open(port: number, host: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(String(answer));
  return socket;
}
