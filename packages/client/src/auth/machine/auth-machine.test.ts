import { buildUser, settle } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import {
  clientSession,
  NETWORK,
  type Outcome,
  REJECTED,
} from '../../../test/auth/machine/fake-effects.ts';
import { EVENTS, machineInState, nameOf } from '../../../test/auth/machine/machine-in-state.ts';

describe('the auth machine', () => {
  it('stays signed in when a refresh is rejected after another tab has sent a newer session', async () => {
    const { actor, fakes } = await machineInState('signedIn.refreshing');
    actor.send(EVENTS.SESSION_FROM_TAB);
    fakes.finish(REJECTED);
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe('signedIn.waiting');
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2');
    actor.stop();
  });

  it.each(['signedOut.needsMfa', 'signedOut.needsSmsOtp', 'signedOut.failed'])(
    'returns to %s when a token from another tab is rejected',
    async (state) => {
      const { actor, fakes } = await machineInState(state);
      const { mfaTicket, error } = actor.getSnapshot().context;
      actor.send(EVENTS.TRY_TOKEN);
      fakes.finish(REJECTED);
      await settle();
      expect(nameOf(actor.getSnapshot())).toBe(state);
      expect(actor.getSnapshot().context).toMatchObject({ mfaTicket, error });
      actor.stop();
    },
  );

  it('ignores an older session of the same user that arrives late', async () => {
    const { actor } = await machineInState('signedIn.waiting');
    actor.send(EVENTS.SESSION_FROM_TAB);
    actor.send({ type: 'SESSION_FROM_TAB', session: clientSession() });
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2');
    actor.stop();
  });

  it('updates the signed-in user, and ignores updates of other users', async () => {
    const { actor } = await machineInState('signedIn.waiting');
    actor.send(EVENTS.USER_UPDATED);
    actor.send({ type: 'USER_UPDATED', user: buildUser({ id: 'grace', displayName: 'Grace' }) });
    expect(actor.getSnapshot().context.session).toEqual({
      ...clientSession(),
      user: buildUser({ displayName: 'Ada' }),
    });
    actor.stop();
  });

  it('does not treat an updated user as a newer session when a refresh is rejected', async () => {
    const { actor, fakes } = await machineInState('signedIn.refreshing');
    actor.send(EVENTS.USER_UPDATED);
    fakes.finish(REJECTED);
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe('signedOut.failed');
    actor.stop();
  });

  const session: Outcome = { kind: 'session', session: clientSession() };
  it.each<[string, Outcome, string]>([
    ['starting.importing', session, 'signedIn.waiting'],
    ['starting.importing', { kind: 'none' }, 'signedOut.noErrors'],
    ['starting.importing', NETWORK, 'starting.waiting'],
    ['starting.importing', REJECTED, 'signedOut.failed'],
    ['starting.importing', { kind: 'needs-mfa', ticket: 't' }, 'signedOut.needsMfa'],
    ['authenticating', session, 'signedIn.waiting'],
    ['authenticating', { kind: 'needs-mfa', ticket: 't' }, 'signedOut.needsMfa'],
    ['authenticating', { kind: 'needs-sms-otp' }, 'signedOut.needsSmsOtp'],
    ['authenticating', { kind: 'needs-email-otp' }, 'signedOut.needsEmailOtp'],
    ['authenticating', { kind: 'needs-email-verification' }, 'signedOut.needsEmailVerification'],
    ['authenticating', NETWORK, 'signedOut.failed'],
    ['tryingToken', session, 'signedIn.waiting'],
    ['tryingToken', REJECTED, 'signedOut.noErrors'],
    ['signedOut.signingOut', { kind: 'signed-out' }, 'signedOut.success'],
    ['signedOut.signingOut', NETWORK, 'signedOut.failed'],
    ['signedIn.refreshing', session, 'signedIn.waiting'],
    ['signedIn.refreshing', NETWORK, 'signedIn.waiting'],
    ['signedIn.refreshing', REJECTED, 'signedOut.failed'],
    ['signedIn.deanonymizing', session, 'signedIn.waiting'],
    ['signedIn.deanonymizing', REJECTED, 'signedIn.waiting'],
    ['signedIn.deanonymizing', { kind: 'needs-sms-otp' }, 'signedOut.needsSmsOtp'],
    ['signedIn.deanonymizing', { kind: 'needs-mfa', ticket: 't' }, 'signedOut.needsMfa'],
    [
      'signedIn.deanonymizing',
      { kind: 'needs-email-verification' },
      'signedOut.needsEmailVerification',
    ],
  ])('changes from %s, on the outcome %j, to %s', async (state, outcome, next) => {
    const { actor, fakes } = await machineInState(state);
    fakes.finish(outcome);
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe(next);
    actor.stop();
  });
});
