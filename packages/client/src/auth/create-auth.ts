import {
  type AuthError,
  clientError,
  READINESS_TIMEOUT_MS,
  type Session,
} from '@longshore/contract';
import { createActor } from 'xstate';
import { browserSecurityKeys } from '../browser/browser-security-keys.ts';
import type { Address, Clock, Fetch, KeyValueStorage, TabChannel, TabLock } from '../ports.ts';
import { withDeadline } from '../timing/deadline.ts';
import { createTurns } from '../timing/in-turn.ts';
import type { Auth, SignInResult, SignOutResult } from './auth.ts';
import { createAuthApi } from './auth-api.ts';
import { type AuthSnapshot, type AuthState, authStateOf, isSameState } from './auth-state.ts';
import { createAuthEffects } from './effects.ts';
import { isExpired } from './held-session.ts';
import { keepSession } from './keep-session.ts';
import { createAuthMachine } from './machine/auth-machine.ts';
import { untilSnapshot } from './machine/until-snapshot.ts';
import { isSameRegistration, type Registration, registrationOf } from './registration.ts';
import type { SecurityKeys } from './security-keys.ts';
import { createSessionStore } from './session-store.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';
import { decodeTabMessage } from './tab-message.ts';

export type AuthDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  storage: KeyValueStorage;
  channel?: TabChannel | undefined;
  lock?: TabLock | undefined;
  address?: Address | undefined;
  session?: Session | undefined;
  securityKeys?: SecurityKeys | undefined;
} & RefreshOptions;

export type RefreshOptions = {
  /** Off: the token is refreshed when it is needed, not by the clock. */
  autoRefresh?: boolean;
  /** Refreshes at least this often. Spec §9. */
  refreshIntervalSeconds?: number;
};

/** Spec §4, Readiness. */
const NOT_READY = 'The state machine is not yet ready after 15 seconds.';

/** Starts the auth machine and speaks to it. */
export function createAuth(deps: AuthDeps): Auth & { stop(): void } {
  const { clock, channel } = deps;
  const effectDeps = {
    api: createAuthApi(deps),
    store: createSessionStore(deps.storage),
    clock,
    lock: deps.lock ?? ((job) => job()),
    channel,
    address: deps.address,
    session: deps.session,
    securityKeys: deps.securityKeys ?? browserSecurityKeys,
  };
  const effects = createAuthEffects(effectDeps);
  const actor = createActor(createAuthMachine({ ...deps, effects }), { clock });
  const listeners = new Set<() => void>();
  let state: AuthState = { kind: 'loading' };
  let registration: Registration = { kind: 'incomplete', step: 'no-errors' };
  /** Sign-in and sign-out never overlap: each begins when the one before has ended. */
  const inTurn = createTurns();

  actor.subscribe((snapshot) => {
    const next = authStateOf(snapshot);
    const nextRegistration = registrationOf(snapshot);
    if (isSameState(state, next) && isSameRegistration(registration, nextRegistration)) return;
    if (!isSameState(state, next)) state = next;
    registration = nextRegistration;
    for (const listener of [...listeners]) listener();
  });
  const stopListening = channel?.listen((message) => {
    const decoded = decodeTabMessage(message);
    if (decoded?.type === 'session') {
      actor.send({ type: 'SESSION_FROM_TAB', session: decoded.session });
    }
    if (decoded?.type === 'token') {
      actor.send({ type: 'TRY_TOKEN', refreshToken: decoded.refreshToken });
    }
    if (decoded?.type === 'signed-out') actor.send({ type: 'SIGN_OUT_FROM_TAB' });
  });
  actor.start();

  async function ready(): Promise<void> {
    if (state.kind !== 'loading') return;
    await withDeadline({ clock, timeoutMs: READINESS_TIMEOUT_MS }, (signal) =>
      Promise.race([
        untilSnapshot(actor, (snapshot) => !snapshot.matches('starting')),
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error(NOT_READY))),
        ),
      ]),
    );
  }

  async function attempt(wish: SignInAttempt): Promise<SignInResult> {
    await ready().catch(() => undefined);
    if (state.kind === 'loading') return { kind: 'failed', error: notReadyError() };
    while (!isFree(actor.getSnapshot())) await untilSnapshot(actor, isFree);
    actor.send({ type: 'SIGN_IN', attempt: wish });
    if (actor.getSnapshot().context.attempt === undefined) {
      return { kind: 'failed', error: clientError('already-signed-in') };
    }
    return signInResultOf(
      await untilSnapshot(actor, ({ context }) => context.attempt === undefined),
    );
  }

  async function signOut(all: boolean): Promise<SignOutResult> {
    if (state.kind !== 'signed-in') {
      return { ok: false, error: clientError('unauthenticated-user') };
    }
    actor.send({ type: 'SIGN_OUT', all });
    const ended = await untilSnapshot(actor, (it) => !it.matches({ signedOut: 'signingOut' }));
    const { error } = ended.context;
    return error === undefined ? { ok: true } : { ok: false, error };
  }

  async function accessToken(): Promise<string | undefined> {
    await ready().catch(() => undefined);
    return validToken() ?? (state.kind === 'signed-in' ? refresh() : undefined);
  }

  async function refresh(): Promise<string | undefined> {
    actor.send({ type: 'REFRESH' });
    await untilSnapshot(actor, (snapshot) => !snapshot.matches({ signedIn: 'refreshing' }));
    return validToken();
  }

  function validToken(): string | undefined {
    const { session } = actor.getSnapshot().context;
    if (session === undefined || isExpired(session, clock.now())) return undefined;
    return session.accessToken;
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ready,
    signUp: (request) => inTurn(() => attempt({ kind: 'sign-up-email-password', ...request })),
    signIn: (request) => inTurn(() => attempt({ kind: 'sign-in-email-password', ...request })),
    signInBy: (method) => inTurn(() => attempt(method)),
    registration: () => registration,
    signOut: ({ all = false } = {}) => inTurn(() => signOut(all)),
    adopt(session) {
      const arrived = keepSession(effectDeps, session, new AbortController().signal);
      actor.send({ type: 'SESSION_FROM_TAB', session: arrived.session });
    },
    accessToken,
    refresh,
    stop() {
      stopListening?.();
      actor.stop();
    },
  };
}

function signInResultOf(snapshot: AuthSnapshot): SignInResult {
  const { error, registrationError } = snapshot.context;
  if (snapshot.matches('signedIn') && registrationError === undefined) return { kind: 'signed-in' };
  if (snapshot.matches({ signedOut: 'needsEmailVerification' })) {
    return { kind: 'needs-email-verification' };
  }
  if (snapshot.matches({ signedOut: 'needsOtp' })) return { kind: 'needs-otp' };
  if (snapshot.matches({ signedOut: 'needsMfa' })) return { kind: 'needs-mfa' };
  return { kind: 'failed', error: registrationError ?? error ?? clientError('network') };
}

/** A refresh in flight ends first: its answer may have replaced the stored token already. */
function isFree(snapshot: AuthSnapshot): boolean {
  return !snapshot.matches('tryingToken') && !snapshot.matches({ signedIn: 'refreshing' });
}

function notReadyError(): AuthError {
  return { status: 1, error: 'not-ready', message: NOT_READY };
}
