import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import {
  EVENTS,
  machineIn,
  nameOf,
  outsideEvents,
  restingStates,
} from '../../../test/auth/machine/machine-in.ts';
import { createWorld } from '../../../test/auth/machine/world.ts';
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
  // Changes what is known of the person, wherever the session is.
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
  // Takes the session, but waits for the answer that may have replaced it already.
  'signedIn.refreshing': {
    ...SIGNED_IN,
    REFRESH: 'ignored',
    TRY_TOKEN: 'ignored',
    SESSION_FROM_TAB: 'signedIn.refreshing',
  },
  // Leaves for the session of somebody who is registered.
  'signedIn.deanonymizing': { ...SIGNED_IN, REFRESH: 'ignored', TRY_TOKEN: 'ignored' },
};

const machine = createAuthMachine({
  clock: createSimulatedClock(),
  effects: createWorld().effects,
});
const STATES = restingStates(machine);
const PAIRS = STATES.flatMap((state) => outsideEvents(machine).map((event) => [state, event]));

describe('the table of transitions', () => {
  it('has a row for every state of the machine, and no other', () => {
    expect(Object.keys(TRANSITIONS).sort()).toEqual(STATES.toSorted());
  });

  it('has a column for every event of the machine, and no other', () => {
    expect(Object.keys(EVENTS).sort()).toEqual(outsideEvents(machine).sort());
  });
});

describe('the auth machine', () => {
  it.each(PAIRS)('in %s takes %s as the table says', async (state = '', event = '') => {
    const { actor } = await machineIn(state);
    const next = TRANSITIONS[state]?.[event as AuthEvent['type']];
    actor.send(EVENTS[event as AuthEvent['type']]);
    expect(nameOf(actor.getSnapshot())).toBe(next === 'ignored' ? state : next);
    actor.stop();
  });
});
