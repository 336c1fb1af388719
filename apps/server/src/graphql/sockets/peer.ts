import type { IncomingMessage } from 'node:http';
import type { Clock } from '@longshore/edge-contract';
import type { WebSocket } from 'ws';
import type { GraphqlCaller } from '../resolve-caller.ts';
import { type AdmissionDeps, admit } from './admission.ts';
import { CLOSE_REASONS, type CloseReason } from './close-reasons.ts';
import type { OpenSockets } from './open-sockets.ts';
import { createOutbox } from './outbox.ts';
import type { Peer } from './subprotocol.ts';

export type PeerDeps = AdmissionDeps & {
  clock: Clock;
  openSockets: OpenSockets;
  addressOf(request: IncomingMessage): string;
};

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** One socket and its caller. It closes when its access token expires or its session ends. */
export function createPeer(socket: WebSocket, request: IncomingMessage, deps: PeerDeps): Peer {
  const { clock, openSockets } = deps;
  let caller: GraphqlCaller = { role: 'public' };
  const close = (reason: CloseReason) => socket.close(...reason);
  const outbox = createOutbox(
    {
      send: (text, onTaken) => socket.send(text, () => onTaken()),
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      terminate: () => socket.terminate(),
    },
    clock,
  );

  function register(admitted: GraphqlCaller): boolean {
    // A socket that has closed already would never be removed.
    if (socket.readyState !== socket.OPEN) return false;
    caller = admitted;
    const session = admitted.role === 'user' ? sessionOf(admitted) : undefined;
    const remove = openSockets.add({
      owner: session?.userId ?? deps.addressOf(request),
      session,
      close: (why) => close(why === 'unknown' ? CLOSE_REASONS.tryLater : CLOSE_REASONS.forbidden),
    });
    if (remove === undefined) return false;
    socket.once('close', remove);
    if (admitted.role === 'user') closeAt(admitted.expiresAt);
    return true;
  }

  function closeAt(expiresAt: number): void {
    const remainingMs = Math.min(expiresAt - clock.now(), MAX_TIMER_MS);
    const expiry = clock.setTimeout(() => close(CLOSE_REASONS.forbidden), remainingMs);
    socket.once('close', () => clock.clearTimeout(expiry));
  }

  return {
    outbox,
    close,
    caller: () => caller,
    async admit(params) {
      // Messages that arrive during the check wait in the network instead of in memory.
      socket.pause();
      const admission = await admit({ params, upgrade: request.headers, register }, deps);
      socket.resume();
      return admission;
    },
  };
}

function sessionOf({ userId, sessionId }: GraphqlCaller & { role: 'user' }) {
  return { userId, sessionId };
}
