import { type ExecutionArgs, GraphQLError } from 'graphql';
import { makeServer, type ServerOptions } from 'graphql-ws';
import type { HasuraError } from '../hasura-error.ts';
import { GOODBYES } from './close-reasons.ts';
import { SUBPROTOCOLS } from './negotiate.ts';
import type { Begun, Operations } from './operations.ts';
import type { Dialect, Peer } from './subprotocol.ts';
import { lastingAnswers, nextFrame } from './subscription-iterator.ts';

type Params = Record<string, unknown>;

/** What one operation hands from the library's first hook to its second. */
type Prepared = { id: string; peer: Peer } & (
  | { kind: 'once'; text: string }
  | { kind: 'live'; follow: (Begun & { kind: 'live' })['follow'] }
);

const INIT_TIMEOUT_MS = 3_000;

/** `graphql-transport-ws`, spoken by its library. */
export function createModernDialect(operations: Operations): Dialect {
  const library = makeServer<Params, Peer>(optionsOf(operations));
  return {
    keepAlive: { text: '{"type":"ping","payload":{"message":"keepalive"}}', every: 'ping' },
    open(peer) {
      let hear: (text: string) => Promise<void> = async () => {};
      const ended = library.opened(
        {
          protocol: SUBPROTOCOLS.modern,
          send: peer.outbox.send,
          close: (code = 1000, reason = '') => peer.close([code, reason]),
          onMessage: (listener) => {
            hear = listener;
          },
        },
        peer,
      );
      return { hear: (text) => hear(text), ended };
    },
  };
}

function optionsOf(operations: Operations): ServerOptions<Params, Peer> {
  return {
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    async onConnect({ connectionParams, extra: peer }) {
      const admission = await peer.admit(connectionParams);
      if (admission.kind === 'crowded') peer.close(GOODBYES.crowded);
      if (admission.kind === 'unavailable') peer.close(GOODBYES.tryLater);
      // The library then closes with 4403, which clients answer with a fresh token.
      return admission.kind === 'admitted';
    },
    async onSubscribe({ extra: peer, subscriptions }, id, payload) {
      // The one that is asked for is among them already.
      const running = Object.keys(subscriptions).length - 1;
      const begun = operations.begin(payload, peer.caller(), running);
      if (begun.kind === 'refused') return graphqlErrors(begun.errors);
      if (begun.kind === 'live') return argsOf(begun, { id, peer, ...begun });
      const { text, errors } = await begun.run();
      if (errors !== undefined) return graphqlErrors(errors);
      return argsOf(begun, { id, peer, kind: 'once', text });
    },
    execute: ({ contextValue }) => oneAnswer(contextValue as Prepared & { kind: 'once' }),
    subscribe({ contextValue }) {
      const { id, peer, follow } = contextValue as Prepared & { kind: 'live' };
      return lastingAnswers({ id, outbox: peer.outbox, follow });
    },
  };
}

/** Sent past the library for the same reason as lasting answers; the library then says that it is complete. */
async function oneAnswer({ id, peer, text }: Prepared & { kind: 'once' }): Promise<typeof NOTHING> {
  await peer.outbox.send(nextFrame(id, text));
  return NOTHING;
}

const NOTHING: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** Of its arguments the library itself reads no more than these. */
function argsOf(
  { operation }: Exclude<Begun, { kind: 'refused' }>,
  prepared: Prepared,
): ExecutionArgs {
  const { document, operationName } = operation;
  return { document, operationName, contextValue: prepared } as unknown as ExecutionArgs;
}

function graphqlErrors(errors: HasuraError[]): GraphQLError[] {
  return errors.map(({ message, extensions }) => new GraphQLError(message, { extensions }));
}
