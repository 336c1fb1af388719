import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isRecord } from '@longshore/contract';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { CloseCode, handleProtocols, makeServer, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CallerOf, GraphqlCaller } from './caller.ts';
import type { Executor } from './executor.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { liveQuery } from './live-query.ts';
import type { Operation } from './operation.ts';

export type GraphqlSocketDeps = {
  executor: Executor;
  callerOf: CallerOf;
  /** Calls back when a row of the user may have changed. */
  onChange: (userId: string, changed: () => void) => () => void;
  clock: { now(): number };
  logError: (error: unknown) => void;
};

export type GraphqlSockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye, and hangs up on those who do not answer. */
  stop(): Promise<void>;
};

/** What is known of one connection. Its life ends with the token it was opened with. */
type Connection = { socket: WebSocket; caller: GraphqlCaller; expiry: NodeJS.Timeout | undefined };
type Running = { operation: Operation; caller: GraphqlCaller };

const INIT_TIMEOUT_MS = 3_000;
const MAX_MESSAGE_BYTES = 1_000_000;
const PING_MS = 25_000;
/** Each is run again after every change. */
const MAX_LIVE_QUERIES = 100;
const GOING_AWAY = 1001;
const GOODBYE_MS = 500;

/** Live queries, queries and mutations over the `graphql-transport-ws` subprotocol. */
export function createGraphqlSockets(deps: GraphqlSocketDeps): GraphqlSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols,
    clientTracking: true,
  });
  const protocol = makeServer<Record<string, unknown>, Connection>(protocolOptions(deps));
  sockets.on('connection', (socket) => serve(socket));
  const pings = setInterval(() => {
    for (const socket of sockets.clients) socket.ping();
  }, PING_MS).unref();

  return {
    upgrade: (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (opened) =>
        sockets.emit('connection', opened, request),
      ),
    async stop() {
      clearInterval(pings);
      const closed = new Promise<void>((resolve) => sockets.close(() => resolve()));
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away');
      const hangUp = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate();
      }, GOODBYE_MS);
      await closed;
      clearTimeout(hangUp);
    },
  };

  function serve(socket: WebSocket): void {
    const connection: Connection = { socket, caller: { role: 'public' }, expiry: undefined };
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        // Settles when the message has left: the next answer waits for a slow reader.
        send: (text) =>
          new Promise((resolve) => {
            socket.send(text, () => resolve());
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (receive) =>
          socket.on('message', (bytes) => {
            receive(String(bytes)).catch((error: unknown) => {
              deps.logError(error);
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          }),
      },
      connection,
    );
    socket.on('error', () => socket.terminate());
    socket.once('close', (code, reason) => {
      clearTimeout(connection.expiry);
      closed(code, String(reason)).catch(deps.logError);
    });
  }
}

function protocolOptions(
  deps: GraphqlSocketDeps,
): ServerOptions<Record<string, unknown>, Connection> {
  return {
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    async onConnect({ connectionParams, extra }) {
      const headers = headersOf(connectionParams);
      try {
        extra.caller = await deps.callerOf((name) => headers.get(name));
      } catch {
        // Closes with 4403, which the clients answer by connecting again with a fresh token.
        return false;
      }
      // It may have hung up meanwhile; nobody would clear the timer then.
      if (extra.socket.readyState !== extra.socket.OPEN) return false;
      if (extra.caller.role === 'user') {
        const leftMs = extra.caller.expiresAt - deps.clock.now();
        const end = () => extra.socket.close(CloseCode.Forbidden, 'Forbidden');
        extra.expiry = setTimeout(end, leftMs);
      }
      return true;
    },
    onSubscribe({ extra, subscriptions }, _id, payload) {
      try {
        // The one that is asked for is among them already.
        if (Object.keys(subscriptions).length > MAX_LIVE_QUERIES) throw tooManyLiveQueries();
        const operation = deps.executor.parse(payload, extra.caller);
        const running: Running = { operation, caller: extra.caller };
        return { document: operation.document, contextValue: running } as unknown as ExecutionArgs;
      } catch (error) {
        const { errors } = deps.executor.errors(error);
        return errors.map(({ message, extensions }) => new GraphQLError(message, { extensions }));
      }
    },
    execute: ({ contextValue }) => run(contextValue as Running),
    subscribe({ contextValue }) {
      const running = contextValue as Running;
      const { caller } = running;
      return liveQuery(
        () => run(running),
        (changed) => (caller.role === 'user' ? deps.onChange(caller.userId, changed) : () => {}),
      );
    },
  };

  function run({ operation, caller }: Running): Promise<ExecutionResult> {
    return deps.executor.run(operation, caller) as Promise<ExecutionResult>;
  }
}

function tooManyLiveQueries(): GraphqlProblem {
  return new GraphqlProblem(
    'validation-failed',
    `at most ${MAX_LIVE_QUERIES} live queries may run on one connection`,
  );
}

/** Clients spell header names either way. */
function headersOf(params: Record<string, unknown> | undefined): Map<string, string> {
  const headers = isRecord(params?.headers) ? params.headers : {};
  const text = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new Map(text.map(([name, value]) => [name.toLowerCase(), value]));
}
