import { clientError, type Session } from '@longshore/contract';
import { createActor } from 'xstate';
import { browserSecurityKeys } from '../browser/browser-ports.ts';
import type {
  AddressBar,
  Clock,
  Fetch,
  KeyValueStorage,
  SecurityKeys,
  TabChannel,
  TabLock,
} from '../ports.ts';
import { createSessionStore } from '../storage/session-store.ts';
import type { Auth, SignOutResult } from './auth.ts';
import { createAuthApi } from './auth-api.ts';
import { authenticate } from './authenticate.ts';
import type { EffectDeps } from './effect-deps.ts';
import { importSession } from './import-session.ts';
import { type AuthActor, untilSnapshot } from './machine/auth-actor.ts';
import { createAuthMachine } from './machine/auth-machine.ts';
import type { AuthEffects } from './machine/auth-model.ts';
import { observeAuth } from './observe-auth.ts';
import { untilReady } from './readiness.ts';
import { refreshSession } from './refresh-session.ts';
import { requestSignIn } from './request-sign-in.ts';
import { saveSession } from './save-session.ts';
import { signOut } from './sign-out.ts';
import { forwardTabMessages } from './tab-messages.ts';
import { createTokens } from './tokens.ts';
import { withoutSessionParameters } from './url-parameters.ts';

export type AuthDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  /** May be a promise; the client is not ready before it resolves. */
  storage: KeyValueStorage | Promise<KeyValueStorage>;
  channel?: TabChannel | undefined;
  lock?: TabLock | undefined;
  addressBar?: AddressBar | undefined;
  session?: Session | undefined;
  securityKeys?: SecurityKeys | undefined;
} & RefreshOptions;

export type RefreshOptions = {
  /** If false, the token is refreshed when a request needs it, not by a timer. */
  autoRefresh?: boolean | undefined;
  /** Refreshes at least this often (spec-map 9.2.4). */
  refreshIntervalSeconds?: number | undefined;
};

/** Starts the auth machine and wraps it in the public `Auth` interface. */
export function createAuth(deps: AuthDeps): Auth & { stop(): void } {
  const { clock, channel, addressBar, autoRefresh, refreshIntervalSeconds } = deps;
  const effectDeps = effectDepsOf(deps);
  const effects = createEffects(effectDeps);
  const machine = createAuthMachine({ clock, effects, autoRefresh, refreshIntervalSeconds });
  const actor = createActor(machine, { clock });
  if (addressBar !== undefined) cleanUrlAfterSignIn(actor, addressBar);
  const { state, registration, subscribe } = observeAuth(actor);
  const stopForwarding = forwardTabMessages(channel, actor);
  actor.start();
  /** Sign-ins and sign-outs run one after the other. */
  const enqueue = createSerialQueue();
  const ready = () => untilReady(actor, clock);
  const { accessToken, refresh, refreshSession } = createTokens({ actor, clock, ready });

  return {
    state,
    registration,
    subscribe,
    accessToken,
    refresh,
    refreshSession,
    ready,
    signUp: (request) =>
      enqueue(() => requestSignIn(actor, ready, { kind: 'sign-up-email-password', ...request })),
    signIn: (request) =>
      enqueue(() => requestSignIn(actor, ready, { kind: 'sign-in-email-password', ...request })),
    signInBy: (method) => enqueue(() => requestSignIn(actor, ready, method)),
    signOut: ({ all = false } = {}) => enqueue(() => requestSignOut(actor, all)),
    adoptSession(session) {
      const saved = saveSession(effectDeps, session, new AbortController().signal);
      actor.send({ type: 'SESSION_FROM_TAB', session: saved.session });
    },
    updateUser: (user) => actor.send({ type: 'USER_UPDATED', user }),
    stop() {
      stopForwarding();
      actor.stop();
    },
  };
}

function effectDepsOf(deps: AuthDeps): EffectDeps {
  return {
    api: createAuthApi(deps),
    store: createSessionStore(deps.storage),
    clock: deps.clock,
    lock: deps.lock ?? ((job) => job()),
    channel: deps.channel,
    addressBar: deps.addressBar,
    session: deps.session,
    securityKeys: deps.securityKeys ?? browserSecurityKeys,
  };
}

function createEffects(deps: EffectDeps): AuthEffects {
  return {
    importSession: (signal) => importSession(deps, signal),
    authenticate: (attempt, signal) => authenticate(deps, attempt, signal),
    async deanonymize(request, signal) {
      const { deanonymize } = await import('./deanonymize.ts');
      return deanonymize(deps, request, signal);
    },
    refresh: ({ session, offeredToken }, signal) =>
      refreshSession(deps, { offered: offeredToken, known: session }, signal),
    signOut: (request, signal) => signOut(deps, request, signal),
  };
}

/** Removes the session parameters, wherever the session came from (spec-map 7.2.29). */
function cleanUrlAfterSignIn(actor: AuthActor, addressBar: AddressBar): void {
  let wasSignedIn = false;
  actor.subscribe((snapshot) => {
    const isSignedIn = snapshot.matches('signedIn');
    if (isSignedIn && !wasSignedIn) {
      const href = addressBar.href();
      const cleanHref = withoutSessionParameters(href);
      if (cleanHref !== href) addressBar.replace(cleanHref);
    }
    wasSignedIn = isSignedIn;
  });
}

async function requestSignOut(actor: AuthActor, all: boolean): Promise<SignOutResult> {
  if (!actor.getSnapshot().matches('signedIn')) {
    return { ok: false, error: clientError('unauthenticated-user') };
  }
  actor.send({ type: 'SIGN_OUT', all });
  const ended = await untilSnapshot(actor, (it) => !it.matches({ signedOut: 'signingOut' }));
  const { error } = ended.context;
  return error === undefined ? { ok: true } : { ok: false, error };
}

/** Runs jobs one at a time, in the order of the calls. */
function createSerialQueue(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job);
    last = result.catch(() => undefined);
    return result;
  };
}
