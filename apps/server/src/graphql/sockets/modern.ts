import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { makeServer, type ServerOptions } from 'graphql-ws';
import type { GraphqlAnswer } from '../executor.ts';
import type { HasuraError } from '../hasura-error.ts';
import { GOODBYES } from './close-codes.ts';
import type { Dialect, Peer } from './dialect.ts';
import { lastingAnswers } from './lasting-answers.ts';
import { SUBPROTOCOLS } from './negotiate.ts';
import type { Begun, Operations } from './operations.ts';

type Params = Record<string, unknown>;

/** What one operation hands from the library's first hook to its second. */
type Prepared =
  | { kind: 'answer'; answer: GraphqlAnswer }
  | { kind: 'live'; id: string; peer: Peer; subscribe: (Begun & { kind: 'live' })['subscribe'] };

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
      if (begun.kind === 'live') {
        return argsOf(begun, { kind: 'live', id, peer, subscribe: begun.subscribe });
      }
      const answer = await begun.run();
      if ('errors' in answer) return graphqlErrors(answer.errors);
      return argsOf(begun, { kind: 'answer', answer });
    },
    execute: ({ contextValue }) =>
      (contextValue as Prepared & { kind: 'answer' }).answer as ExecutionResult,
    subscribe: ({ contextValue }) => lastingAnswers(contextValue as Prepared & { kind: 'live' }),
  };
}

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
