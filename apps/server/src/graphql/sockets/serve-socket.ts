import type { WebSocket } from 'ws';
import { GOODBYES } from './close-reasons.ts';
import { type PulseAct, pulse } from './keep-alive.ts';
import type { Dialect, Peer } from './subprotocol.ts';

export type ServeDeps = { peer: Peer; dialect: Dialect; logError: (error: unknown) => void };

/** Holds one conversation over a socket. Answers what is to be done with the socket at each tick of the clock. */
export function serve(
  socket: WebSocket,
  { peer, dialect, logError }: ServeDeps,
): (tick: number) => void {
  const { outbox } = peer;
  const conversation = dialect.open(peer);
  let hasAnswered = true;
  const isThere = () => {
    hasAnswered = true;
  };
  socket.on('pong', isThere);
  socket.on('message', (bytes) => {
    // Who was sent away may go on talking until it hangs up; nothing is done for it any more.
    if (socket.readyState !== socket.OPEN) return;
    isThere();
    conversation.hear(String(bytes)).catch((error: unknown) => {
      logError(error);
      peer.close(GOODBYES.internal);
    });
  });
  socket.on('error', () => socket.terminate());
  socket.once('close', (code, reason) => {
    conversation.ended(code, String(reason)).catch(logError);
  });

  const acts: Record<PulseAct, () => void> = {
    nothing() {},
    'hang-up': () => socket.terminate(),
    'keep-alive': () => {
      if (dialect.keepAlive.every === 'tick') void outbox.send(dialect.keepAlive.text);
    },
    ping() {
      hasAnswered = false;
      socket.ping();
      void outbox.send(dialect.keepAlive.text);
    },
  };
  return (tick) => acts[pulse(tick, { stalledMs: outbox.stalledMs(), hasAnswered })]();
}
