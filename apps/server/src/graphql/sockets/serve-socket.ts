import type { WebSocket } from 'ws';
import { CLOSE_REASONS } from './close-reasons.ts';
import { type TickAction, tickAction } from './keep-alive.ts';
import type { Peer, Subprotocol } from './subprotocol.ts';

export type ServeDeps = {
  peer: Peer;
  subprotocol: Subprotocol;
  logError: (error: unknown) => void;
};

/** Serves a subprotocol on a socket. Returns a function to be called at each tick of the clock. */
export function serveSocket(
  socket: WebSocket,
  { peer, subprotocol, logError }: ServeDeps,
): (tick: number) => void {
  const { outbox } = peer;
  const { keepAlive } = subprotocol;
  const session = subprotocol.open(peer);
  let hasResponded = true;
  const noteResponse = () => {
    hasResponded = true;
  };
  socket.on('pong', noteResponse);
  socket.on('message', (bytes) => {
    // A client may send messages until it has received our close frame; they are ignored.
    if (socket.readyState !== socket.OPEN) return;
    noteResponse();
    session.receive(String(bytes)).catch((error: unknown) => {
      logError(error);
      peer.close(CLOSE_REASONS.internal);
    });
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', (code, reason) => {
    session.closed(code, String(reason)).catch(logError);
  });

  const actions: Record<TickAction, () => void> = {
    nothing() {},
    terminate: () => socket.terminate(),
    'keep-alive': () => {
      if (keepAlive.every === 'tick') void outbox.send(keepAlive.text);
    },
    ping() {
      hasResponded = false;
      socket.ping();
      void outbox.send(keepAlive.text);
    },
  };
  return (tick) => actions[tickAction(tick, { stalledMs: outbox.stalledMs(), hasResponded })]();
}
