import type { Socket } from 'node:net';
import { LIMITS } from './limits.ts';
import { linkSockets } from './link-sockets.ts';
import type { UpstreamConnection } from './upstream-connection.ts';

type Joined = {
  visit: { bytesIn: number; bytesOut: number };
  tunnel: { socket: Socket; head: Buffer };
  connection: UpstreamConnection;
  /** Of the app's response. */
  headers: string[];
};

const WEBSOCKET_LIMITS = { idleMs: LIMITS.websocketIdleMs, halfClosedMs: LIMITS.halfClosedMs };

/**
 * Joins a visitor and an app after a switch of protocols, with backpressure. `onEnd` is called when both connections are
 * closed.
 */
export function joinTunnel(
  { visit, tunnel: { socket, head }, connection, headers }: Joined,
  onEnd: () => void,
): void {
  const app = connection.socket;
  socket.write(switchingProtocols(headers), 'latin1');
  connection.startTunnel(socket);
  socket.on('drain', () => app.resume());
  if (head.length > 0) app.write(head);
  socket.pipe(app);
  const [writtenBefore, readBefore] = [app.bytesWritten - head.length, app.bytesRead];
  linkSockets([socket, app], WEBSOCKET_LIMITS, () => {
    visit.bytesIn = app.bytesWritten - writtenBefore;
    visit.bytesOut = app.bytesRead - readBefore;
    onEnd();
  });
}

function switchingProtocols(headers: string[]): string {
  let head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (let index = 0; index < headers.length; index += 2) {
    head += `${headers[index]}: ${headers[index + 1]}\r\n`;
  }
  return `${head}\r\n`;
}
