import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createFakeEffects } from '../../../test/auth/machine/fake-effects.ts';
import {
  EVENTS,
  externalEvents,
  machineInState,
  nameOf,
  stableStates,
} from '../../../test/auth/machine/machine-in-state.ts';
import { createAuthMachine } from './auth-machine.ts';
import type { AuthEvent } from './auth-model.ts';

type Row = Record<AuthEvent['type'], string>;

const IGNORE_ALL: Row = {
  SIGN_IN: 'ignored',
  SIGN_OUT: 'ignored',
  REFRESH: 'ignored',
  SESSION_FROM_TAB: 'ignored',
  USER_UPDATED: 'ignored',
  SIGN_OUT_FROM_TAB: 'ignored',
  TRY_TOKEN: 'ignored',
};
const SIGNED_OUT: Row = {
  ...IGNORE_ALL,
  SIGN_IN: 'authenticating',
  SESSION_FROM_TAB: 'signedIn.waiting',
  TRY_TOKEN: 'tryingToken',
};
const SIGNED_IN: Row = {
  SIGN_IN: 'ignored',
  SIGN_OUT: 'signedOut.signingOut',
  REFRESH: 'signedIn.refreshing',
  SESSION_FROM_TAB: 'signedIn.waiting',
  // Updates the user in every state with a session.
  USER_UPDATED: 'ignored',
  SIGN_OUT_FROM_TAB: 'signedOut.success',
  TRY_TOKEN: 'signedIn.refreshing',
};

const TRANSITIONS: Record<string, Row> = {
  'starting.importing': { ...IGNORE_ALL, SIGN_OUT_FROM_TAB: 'signedOut.success' },
  'starting.waiting': {
    ...IGNORE_ALL,
    SESSION_FROM_TAB: 'signedIn.waiting',
    SIGN_OUT_FROM_TAB: 'signedOut.success',
    TRY_TOKEN: 'starting.importing',
  },
  authenticating: IGNORE_ALL,
  tryingToken: {
    ...IGNORE_ALL,
    SESSION_FROM_TAB: 'signedIn.waiting',
    SIGN_OUT_FROM_TAB: 'signedOut.noErrors',
  },
  'signedOut.noErrors': SIGNED_OUT,
  'signedOut.success': SIGNED_OUT,
  'signedOut.needsEmailVerification': SIGNED_OUT,
  'signedOut.needsSmsOtp': SIGNED_OUT,
  'signedOut.needsEmailOtp': SIGNED_OUT,
  'signedOut.needsMfa': SIGNED_OUT,
  'signedOut.failed': SIGNED_OUT,
  'signedOut.signingOut': IGNORE_ALL,
  'signedIn.timerOff': SIGNED_IN,
  'signedIn.waiting': SIGNED_IN,
  // Stores the session, but waits for the refresh, which may already have replaced it.
  'signedIn.refreshing': {
    ...SIGNED_IN,
    REFRESH: 'ignored',
    TRY_TOKEN: 'ignored',
    SESSION_FROM_TAB: 'signedIn.refreshing',
  },
  // A session of a registered user ends this state.
  'signedIn.deanonymizing': { ...SIGNED_IN, REFRESH: 'ignored', TRY_TOKEN: 'ignored' },
};

const machine = createAuthMachine({
  clock: createSimulatedClock(),
  effects: createFakeEffects().effects,
});
const STATES = stableStates(machine);
const PAIRS = STATES.flatMap((state) => externalEvents(machine).map((event) => [state, event]));

describe('the table of transitions', () => {
  it('has exactly one row for every state of the machine', () => {
    expect(Object.keys(TRANSITIONS).sort()).toEqual(STATES.toSorted());
  });

  it('has exactly one column for every event of the machine', () => {
    expect(Object.keys(EVENTS).sort()).toEqual(externalEvents(machine).sort());
  });
});

describe('the auth machine', () => {
  it.each(PAIRS)('in %s handles %s as the table defines', async (state = '', event = '') => {
    const { actor } = await machineInState(state);
    const next = TRANSITIONS[state]?.[event as AuthEvent['type']];
    actor.send(EVENTS[event as AuthEvent['type']]);
    expect(nameOf(actor.getSnapshot())).toBe(next === 'ignored' ? state : next);
    actor.stop();
  });
});
