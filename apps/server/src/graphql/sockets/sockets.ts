import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Change } from '../../db/change.ts';
import { CLOSE_REASONS } from './close-reasons.ts';
import { TICK_MS } from './keep-alive.ts';
import { createLegacySubprotocol } from './legacy/legacy.ts';
import { createModernSubprotocol } from './modern.ts';
import { createOpenSockets } from './open-sockets.ts';
import type { Operations } from './operations.ts';
import { createPeer, type PeerDeps } from './peer.ts';
import { serveSocket } from './serve-socket.ts';
import {
  negotiateSubprotocol,
  SUBPROTOCOLS,
  type Subprotocol,
  type SubprotocolName,
} from './subprotocol.ts';

export type GraphqlSocketDeps = Omit<PeerDeps, 'openSockets'> & {
  operations: Operations;
  listen: (listener: (change: Change) => void) => () => void;
};

export type GraphqlSockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes all sockets, and terminates those that do not respond. */
  stop(): Promise<void>;
};

const MAX_MESSAGE_BYTES = 1_000_000;
const CLOSE_TIMEOUT_MS = 500;

/** GraphQL over websockets, in either subprotocol. */
export function createGraphqlSockets(deps: GraphqlSocketDeps): GraphqlSockets {
  const { operations, resolveCaller, isSignedIn, listen, clock, addressOf, logError } = deps;
  const openSockets = createOpenSockets();
  const peerDeps = { resolveCaller, isSignedIn, openSockets, clock, addressOf, logError };
  const subprotocols: Record<SubprotocolName, Subprotocol> = {
    modern: createModernSubprotocol(operations),
    legacy: createLegacySubprotocol({ operations, clock }),
  };
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => SUBPROTOCOLS[negotiateSubprotocol(offered)],
  });
  const onTicks = new Map<WebSocket, (tick: number) => void>();
  const stopListening = listen((change) => {
    if (change.kind === 'session-end') openSockets.closeSession(change.end);
    if (change.kind === 'missed') openSockets.recheck(isSignedIn).catch(logError);
  });
  let tick = 0;
  let timer: unknown;

  /** Runs only while sockets are open, so that an idle server does nothing. */
  function runTick(): void {
    tick += 1;
    for (const onTick of onTicks.values()) onTick(tick);
    timer = clock.setTimeout(runTick, TICK_MS);
  }

  function stopTicking(): void {
    clock.clearTimeout(timer);
    timer = undefined;
  }

  function open(socket: WebSocket, request: IncomingMessage): void {
    const peer = createPeer(socket, request, peerDeps);
    const subprotocol = subprotocols[socket.protocol === SUBPROTOCOLS.modern ? 'modern' : 'legacy'];
    onTicks.set(socket, serveSocket(socket, { peer, subprotocol, logError }));
    timer ??= clock.setTimeout(runTick, TICK_MS);
    socket.once('close', () => {
      onTicks.delete(socket);
      if (onTicks.size === 0) stopTicking();
    });
  }

  return {
    upgrade: (request, socket, head) =>
      webSockets.handleUpgrade(request, socket, head, (opened) => open(opened, request)),
    async stop() {
      stopListening();
      stopTicking();
      const closed = new Promise<void>((resolve) => webSockets.close(() => resolve()));
      for (const socket of webSockets.clients) socket.close(...CLOSE_REASONS.goingAway);
      const terminate = clock.setTimeout(() => {
        for (const socket of webSockets.clients) socket.terminate();
      }, CLOSE_TIMEOUT_MS);
      await closed;
      clock.clearTimeout(terminate);
    },
  };
}
