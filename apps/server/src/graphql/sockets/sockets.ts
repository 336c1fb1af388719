import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Change } from '../../db/change.ts';
import { GOODBYES } from './close-reasons.ts';
import { TICK_MS } from './keep-alive.ts';
import { createLegacyDialect } from './legacy/legacy.ts';
import { createModernDialect } from './modern.ts';
import { type DialectName, negotiate, SUBPROTOCOLS } from './negotiate.ts';
import { createRoster } from './open-sockets.ts';
import type { Operations } from './operations.ts';
import { createPeer, type PeerDeps } from './peer.ts';
import { serve } from './serve-socket.ts';
import type { Dialect } from './subprotocol.ts';

export type GraphqlSocketDeps = Omit<PeerDeps, 'roster'> & {
  operations: Operations;
  listen: (listener: (change: Change) => void) => () => void;
};

export type GraphqlSockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye, and hangs up on those who do not answer. */
  stop(): Promise<void>;
};

const MAX_MESSAGE_BYTES = 1_000_000;
const GOODBYE_MS = 500;

/** Live queries, queries and mutations over websockets, in either dialect. */
export function createGraphqlSockets(deps: GraphqlSocketDeps): GraphqlSockets {
  const { clock, isSignedIn, logError } = deps;
  const roster = createRoster();
  const dialects: Record<DialectName, Dialect> = {
    modern: createModernDialect(deps.operations),
    legacy: createLegacyDialect(deps),
  };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (asked) => SUBPROTOCOLS[negotiate(asked)],
  });
  const pulses = new Map<WebSocket, (tick: number) => void>();
  const stopListening = deps.listen((change) => {
    if (change.kind === 'session-end') roster.end(change.end);
    if (change.kind === 'missed') roster.recheck(isSignedIn).catch(logError);
  });
  let tick = 0;
  let timer: unknown;

  /** Beats only while somebody is there, so that a server without visitors does nothing. */
  function beat(): void {
    tick += 1;
    for (const takePulse of pulses.values()) takePulse(tick);
    timer = clock.setTimeout(beat, TICK_MS);
  }

  function rest(): void {
    clock.clearTimeout(timer);
    timer = undefined;
  }

  function open(socket: WebSocket, request: IncomingMessage): void {
    const peer = createPeer(socket, request, { ...deps, roster });
    const dialect = dialects[socket.protocol === SUBPROTOCOLS.modern ? 'modern' : 'legacy'];
    pulses.set(socket, serve(socket, { peer, dialect, logError }));
    timer ??= clock.setTimeout(beat, TICK_MS);
    socket.once('close', () => {
      pulses.delete(socket);
      if (pulses.size === 0) rest();
    });
  }

  return {
    upgrade: (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (opened) => open(opened, request)),
    async stop() {
      stopListening();
      rest();
      const closed = new Promise<void>((resolve) => sockets.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(...GOODBYES.goingAway);
      const hangUp = clock.setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, GOODBYE_MS);
      await closed;
      clock.clearTimeout(hangUp);
    },
  };
}
