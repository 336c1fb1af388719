import { buildUser, settle } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { EVENTS, machineIn, nameOf } from '../../../test/auth/machine/machine-in.ts';
import { clientSession, NETWORK, type Outcome, REFUSED } from '../../../test/auth/machine/world.ts';

describe('the auth machine', () => {
  it('stays signed in when a refresh is refused after another tab has brought a newer session', async () => {
    const { actor, world } = await machineIn('signedIn.refreshing');
    actor.send(EVENTS.SESSION_FROM_TAB);
    world.answer(REFUSED);
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe('signedIn.waiting');
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2');
    actor.stop();
  });

  it.each(['signedOut.needsMfa', 'signedOut.needsSmsOtp', 'signedOut.failed'])(
    'goes back to %s when a token from another tab opens nothing',
    async (state) => {
      const { actor, world } = await machineIn(state);
      const { mfaTicket, error } = actor.getSnapshot().context;
      actor.send(EVENTS.TRY_TOKEN);
      world.answer(REFUSED);
      await settle();
      expect(nameOf(actor.getSnapshot())).toBe(state);
      expect(actor.getSnapshot().context).toMatchObject({ mfaTicket, error });
      actor.stop();
    },
  );

  it('leaves a newer session alone when an older one of the same person arrives late', async () => {
    const { actor } = await machineIn('signedIn.waiting');
    actor.send(EVENTS.SESSION_FROM_TAB);
    actor.send({ type: 'SESSION_FROM_TAB', session: clientSession() });
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2');
    actor.stop();
  });

  it('keeps what the server says of the person signed in, and of nobody else', async () => {
    const { actor } = await machineIn('signedIn.waiting');
    actor.send(EVENTS.USER_UPDATED);
    actor.send({ type: 'USER_UPDATED', user: buildUser({ id: 'grace', displayName: 'Grace' }) });
    expect(actor.getSnapshot().context.session).toEqual({
      ...clientSession(),
      user: buildUser({ displayName: 'Ada' }),
    });
    actor.stop();
  });

  it('takes no news of the person for a newer session when a refresh is refused', async () => {
    const { actor, world } = await machineIn('signedIn.refreshing');
    actor.send(EVENTS.USER_UPDATED);
    world.answer(REFUSED);
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe('signedOut.failed');
    actor.stop();
  });

  const session: Outcome = { kind: 'session', session: clientSession() };
  it.each<[string, Outcome, string]>([
    ['starting.importing', session, 'signedIn.waiting'],
    ['starting.importing', { kind: 'none' }, 'signedOut.noErrors'],
    ['starting.importing', NETWORK, 'starting.waiting'],
    ['starting.importing', REFUSED, 'signedOut.failed'],
    ['authenticating', session, 'signedIn.waiting'],
    ['authenticating', { kind: 'needs-mfa', ticket: 't' }, 'signedOut.needsMfa'],
    ['authenticating', { kind: 'needs-sms-otp' }, 'signedOut.needsSmsOtp'],
    ['authenticating', { kind: 'needs-email-otp' }, 'signedOut.needsEmailOtp'],
    ['authenticating', { kind: 'needs-email-verification' }, 'signedOut.needsEmailVerification'],
    ['authenticating', NETWORK, 'signedOut.failed'],
    ['tryingToken', session, 'signedIn.waiting'],
    ['tryingToken', REFUSED, 'signedOut.noErrors'],
    ['signedOut.signingOut', { kind: 'signed-out' }, 'signedOut.success'],
    ['signedOut.signingOut', NETWORK, 'signedOut.failed'],
    ['signedIn.refreshing', session, 'signedIn.waiting'],
    ['signedIn.refreshing', NETWORK, 'signedIn.waiting'],
    ['signedIn.refreshing', REFUSED, 'signedOut.failed'],
    ['signedIn.deanonymizing', session, 'signedIn.waiting'],
    ['signedIn.deanonymizing', REFUSED, 'signedIn.waiting'],
    ['signedIn.deanonymizing', { kind: 'needs-sms-otp' }, 'signedOut.needsSmsOtp'],
    [
      'signedIn.deanonymizing',
      { kind: 'needs-email-verification' },
      'signedOut.needsEmailVerification',
    ],
  ])('in %s that is answered %j goes to %s', async (state, outcome, next) => {
    const { actor, world } = await machineIn(state);
    world.answer(outcome);
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe(next);
    actor.stop();
  });
});
