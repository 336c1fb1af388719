import { type ExecutionArgs, GraphQLError } from 'graphql';
import { makeServer, type ServerOptions } from 'graphql-ws';
import type { HasuraError } from '../hasura-error.ts';
import { CLOSE_REASONS } from './close-reasons.ts';
import type { Operations, StartedOperation } from './operations.ts';
import type { Peer, Subprotocol } from './subprotocol.ts';
import { SUBPROTOCOLS } from './subprotocol.ts';
import { nextFrame, subscriptionIterator } from './subscription-iterator.ts';

type Params = Record<string, unknown>;

/** Passed from the library's `onSubscribe` hook to `execute` or `subscribe`. */
type Prepared = { id: string; peer: Peer } & (
  | { kind: 'once'; text: string }
  | { kind: 'live'; follow: (StartedOperation & { kind: 'live' })['follow'] }
);

const INIT_TIMEOUT_MS = 3_000;

/** `graphql-transport-ws`, implemented by the package `graphql-ws`. */
export function createModernSubprotocol(operations: Operations): Subprotocol {
  const library = makeServer<Params, Peer>(optionsOf(operations));
  return {
    keepAlive: { text: '{"type":"ping","payload":{"message":"keepalive"}}', every: 'ping' },
    open(peer) {
      let receive: (text: string) => Promise<void> = async () => {};
      const closed = library.opened(
        {
          protocol: SUBPROTOCOLS.modern,
          send: peer.outbox.send,
          close: (code = 1000, reason = '') => peer.close([code, reason]),
          onMessage: (listener) => {
            receive = listener;
          },
        },
        peer,
      );
      return { receive: (text) => receive(text), closed };
    },
  };
}

function optionsOf(operations: Operations): ServerOptions<Params, Peer> {
  return {
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    async onConnect({ connectionParams, extra: peer }) {
      const admission = await peer.admit(connectionParams);
      if (admission.kind === 'too-many-connections') peer.close(CLOSE_REASONS.tooManyConnections);
      if (admission.kind === 'unavailable') peer.close(CLOSE_REASONS.tryLater);
      // The library then closes with 4403, after which clients reconnect with a new token.
      return admission.kind === 'admitted';
    },
    async onSubscribe({ extra: peer, subscriptions }, id, payload) {
      // The library has added the new operation already.
      const running = Object.keys(subscriptions).length - 1;
      const started = operations.start(payload, peer.caller(), running);
      if (started.kind === 'refused') return graphqlErrors(started.errors);
      if (started.kind === 'live') return argsOf(started, { id, peer, ...started });
      const { text, errors } = await started.run();
      if (errors !== undefined) return graphqlErrors(errors);
      return argsOf(started, { id, peer, kind: 'once', text });
    },
    execute: ({ contextValue }) => sendOnce(contextValue as Prepared & { kind: 'once' }),
    subscribe({ contextValue }) {
      const { id, peer, follow } = contextValue as Prepared & { kind: 'live' };
      return subscriptionIterator({ id, outbox: peer.outbox, follow });
    },
  };
}

/** Bypasses the library for the same reason as subscriptions; the library then sends `complete`. */
async function sendOnce({
  id,
  peer,
  text,
}: Prepared & { kind: 'once' }): Promise<typeof NO_RESULTS> {
  await peer.outbox.send(nextFrame(id, text));
  return NO_RESULTS;
}

const NO_RESULTS: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** The only arguments that the library itself reads. */
function argsOf(
  { operation }: Exclude<StartedOperation, { kind: 'refused' }>,
  prepared: Prepared,
): ExecutionArgs {
  const { document, operationName } = operation;
  return { document, operationName, contextValue: prepared } as unknown as ExecutionArgs;
}

function graphqlErrors(errors: HasuraError[]): GraphQLError[] {
  return errors.map(({ message, extensions }) => new GraphQLError(message, { extensions }));
}
