import { type AuthError, clientError } from '@longshore/contract';
import { assign, createActor, fromPromise, setup } from 'xstate';
import type { AuthResponse } from '../auth/auth-api.ts';
import { catchFailure } from '../auth/machine/outcome.ts';
import { createStore, type Observable } from '../store.ts';

/** The states of spec-map 4.1.35. */
export type FlowState =
  | { kind: 'idle' }
  | { kind: 'requesting' }
  | { kind: 'success' }
  | { kind: 'error'; error: AuthError };

export type FlowResult = { ok: true } | { ok: false; error: AuthError };

export type Flow<Request> = Observable<FlowState> & {
  /** Resolves when the request has finished; joins a request that is already running. */
  request(request: Request): Promise<FlowResult>;
  stop(): void;
};

type Run<Request> = (request: Request, signal: AbortSignal) => Promise<AuthResponse>;

/** idle ──► requesting ──► success | error ──► requesting … */
export function createFlow<Request>(run: Run<Request>): Flow<Request> {
  const actor = createActor(createFlowMachine(run as Run<unknown>)).start();
  const { state, subscribe, set } = createStore<FlowState>({ kind: 'idle' });
  actor.subscribe(({ value, context }) =>
    set(
      value === 'error' && context.error !== undefined
        ? { kind: 'error', error: context.error }
        : { kind: value as 'idle' | 'requesting' | 'success' },
    ),
  );

  return {
    state,
    subscribe,
    request(request) {
      actor.send({ type: 'REQUEST', request });
      return new Promise((resolve) => {
        const unsubscribe = subscribe(() => {
          if (state().kind === 'requesting') return;
          unsubscribe();
          resolve(resultOf(state()));
        });
      });
    },
    stop() {
      actor.stop();
      set({ kind: 'idle' });
    },
  };
}

/** A flow that was stopped while requesting fails with a network error. */
function resultOf(state: FlowState): FlowResult {
  if (state.kind === 'success') return { ok: true };
  return { ok: false, error: state.kind === 'error' ? state.error : clientError('network') };
}

function createFlowMachine(run: Run<unknown>) {
  type Context = { request: unknown; error: AuthError | undefined };
  const start = { target: 'requesting', actions: 'storeRequest' } as const;
  return setup({
    types: { context: {} as Context, events: {} as { type: 'REQUEST'; request: unknown } },
    actors: {
      run: fromPromise(async ({ input, signal }: { input: unknown; signal: AbortSignal }) => {
        const outcome = await catchFailure(() => run(input, signal));
        return 'ok' in outcome ? outcome : { ok: false as const, error: outcome.error };
      }),
    },
    actions: {
      storeRequest: assign(({ event }) => ({ request: event.request, error: undefined })),
    },
  }).createMachine({
    id: 'flow',
    context: { request: undefined, error: undefined },
    initial: 'idle',
    states: {
      idle: { on: { REQUEST: start } },
      requesting: {
        invoke: {
          src: 'run',
          input: ({ context }: { context: Context }) => context.request,
          onDone: [
            { guard: ({ event }) => event.output.ok, target: 'success' },
            {
              target: 'error',
              actions: assign(({ event: { output } }) =>
                output.ok ? {} : { error: output.error },
              ),
            },
          ],
        },
      },
      success: { on: { REQUEST: start } },
      error: { on: { REQUEST: start } },
    },
  });
}
