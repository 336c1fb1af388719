import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Clock } from '../../schedule/clock.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import { type AdmissionDeps, admit } from './admission.ts';
import { GOODBYES, type Goodbye } from './close-reasons.ts';
import type { Roster } from './open-sockets.ts';
import { createOutbox } from './outbox.ts';
import type { Peer } from './subprotocol.ts';

export type PeerDeps = AdmissionDeps & { clock: Clock; roster: Roster };

/** Timers cannot wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** One socket and who is behind it. Its life ends with the token it was opened with, or with its session. */
export function createPeer(socket: WebSocket, request: IncomingMessage, deps: PeerDeps): Peer {
  const { clock, roster } = deps;
  let caller: GraphqlCaller = { role: 'public' };
  const close = (goodbye: Goodbye) => socket.close(...goodbye);
  const outbox = createOutbox(
    {
      send: (text, left) => socket.send(text, () => left()),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      hangUp: () => socket.terminate(),
    },
    clock,
  );

  function enter(newcomer: GraphqlCaller): boolean {
    // It may have hung up meanwhile, and nobody would strike it off.
    if (socket.readyState !== socket.OPEN) return false;
    caller = newcomer;
    const session = newcomer.role === 'user' ? sessionOf(newcomer) : undefined;
    const leave = roster.enter({
      whose: session?.userId ?? request.socket.remoteAddress ?? '',
      session,
      leave: (why) => close(why === 'unknown' ? GOODBYES.tryLater : GOODBYES.forbidden),
    });
    if (leave === undefined) return false;
    socket.once('close', leave);
    if (newcomer.role === 'user') endWith(newcomer.expiresAt);
    return true;
  }

  function endWith(expiresAt: number): void {
    const leftMs = Math.min(expiresAt - clock.now(), MAX_TIMER_MS);
    const expiry = clock.setTimeout(() => close(GOODBYES.forbidden), leftMs);
    socket.once('close', () => clock.clearTimeout(expiry));
  }

  return {
    outbox,
    close,
    caller: () => caller,
    async admit(params) {
      // What it says meanwhile waits in the network, not here.
      socket.pause();
      const admission = await admit({ params, upgrade: request.headers, enter }, deps);
      socket.resume();
      return admission;
    },
  };
}

function sessionOf({ userId, sessionId }: GraphqlCaller & { role: 'user' }) {
  return { userId, sessionId };
}
