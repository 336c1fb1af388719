import type { Socket } from 'node:net';
import { LIMITS } from './limits.ts';

type Side = { socket: Socket; head: Buffer };

/** Makes two connections one, each way at the reader's pace. One side may end while the other still speaks. */
export function joinSockets(client: Side, app: Side, ended: () => void): void {
  pass(client, app);
  pass(app, client);
  let open = 2;
  for (const { socket } of [client, app]) {
    socket.on('close', () => {
      open -= 1;
      if (open === 0) ended();
    });
  }
}

function pass(from: Side, to: Side): void {
  from.socket.setTimeout(LIMITS.websocketIdleMs, () => from.socket.destroy());
  // An error is always followed by a close, which is handled below.
  from.socket.on('error', () => {});
  from.socket.on('end', () => {
    from.socket.setTimeout(LIMITS.halfClosedMs);
    to.socket.setTimeout(LIMITS.halfClosedMs);
  });
  from.socket.on('close', () => to.socket.destroySoon());
  if (from.head.length > 0) to.socket.write(from.head);
  from.socket.pipe(to.socket);
}
