import type { Session } from '@longshore/contract';
import { createActor } from 'xstate';
import { browserSecurityKeys } from '../browser/browser-security-keys.ts';
import type { Address, Clock, Fetch, KeyValueStorage, TabChannel, TabLock } from '../ports.ts';
import { createTurns } from '../timing/in-turn.ts';
import type { Auth } from './auth.ts';
import { createAuthApi } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import { createAuthEffects } from './effects.ts';
import { hearTabs } from './hear-tabs.ts';
import { keepSession } from './keep-session.ts';
import { leave } from './leave.ts';
import { createAuthMachine } from './machine/auth-machine.ts';
import { observeAuth } from './observe-auth.ts';
import { untilReady } from './readiness.ts';
import type { SecurityKeys } from './security-keys.ts';
import { createSessionStore } from './session-store.ts';
import { signInBy } from './sign-in-by.ts';
import { createTokens } from './tokens.ts';

export type AuthDeps = {
  url: string;
  clock: Clock;
  fetch: Fetch;
  /** May be opened later; the client is not ready before. */
  storage: KeyValueStorage | Promise<KeyValueStorage>;
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

/** Starts the auth machine and speaks to it. */
export function createAuth(deps: AuthDeps): Auth & { stop(): void } {
  const { clock, channel } = deps;
  const effectDeps = effectDepsOf(deps);
  const effects = createAuthEffects(effectDeps);
  const actor = createActor(createAuthMachine({ ...deps, effects }), { clock });
  const observed = observeAuth(actor);
  const stopHearing = hearTabs(channel, actor);
  actor.start();
  /** Sign-in and sign-out never overlap: each begins when the one before has ended. */
  const inTurn = createTurns();
  const ready = () => untilReady(actor, clock);

  return {
    ...observed,
    ...createTokens({ actor, clock, ready }),
    ready,
    signUp: (request) =>
      inTurn(() => signInBy(actor, ready, { kind: 'sign-up-email-password', ...request })),
    signIn: (request) =>
      inTurn(() => signInBy(actor, ready, { kind: 'sign-in-email-password', ...request })),
    signInBy: (method) => inTurn(() => signInBy(actor, ready, method)),
    signOut: ({ all = false } = {}) => inTurn(() => leave(actor, all)),
    adopt(session) {
      const arrived = keepSession(effectDeps, session, new AbortController().signal);
      actor.send({ type: 'SESSION_FROM_TAB', session: arrived.session });
    },
    adoptUser: (user) => actor.send({ type: 'USER_TOLD', user }),
    stop() {
      stopHearing();
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
    address: deps.address,
    session: deps.session,
    securityKeys: deps.securityKeys ?? browserSecurityKeys,
  };
}
