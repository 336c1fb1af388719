import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWithAuthenticators,
  type UsersWithAuthenticators,
} from '../../../test/auth/users-with-authenticators.ts';
import { type Backend, stopWithoutErrors } from '../../../test/backend.ts';

let backend: Backend;
let users: UsersWithAuthenticators;
beforeAll(async () => {
  ({ backend, users } = await startWithAuthenticators());
});
afterAll(() => stopWithoutErrors(backend));

describe('POST /signin/mfa/totp', () => {
  it('opens a session with the code of an authenticator app', async () => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    const { ticket } = (await users.signIn(email)).mfa;
    const { status, body } = await users.signInMfa(ticket, users.codeOf(totpSecret));
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(session.user.id);
  });

  it('accepts a code once', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    const first = (await users.signIn(email)).mfa.ticket;
    const code = users.codeOf(totpSecret);
    expect((await users.signInMfa(first, code)).status).toBe(200);
    const second = (await users.signIn(email)).mfa.ticket;
    const { body } = await users.signInMfa(second, code);
    expect(body).toEqual({ status: 401, error: 'invalid-totp', message: 'Invalid TOTP code' });
  });

  it('redeems the ticket at the first attempt, whether the code is right or wrong', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    const wrong = (await users.signIn(email)).mfa.ticket;
    expect((await users.signInMfa(wrong, users.wrongCodeOf(totpSecret))).body).toMatchObject({
      error: 'invalid-totp',
    });
    expect((await users.signInMfa(wrong, users.codeOf(totpSecret))).body).toMatchObject({
      status: 401,
      error: 'invalid-ticket',
    });
    const right = (await users.signIn(email)).mfa.ticket;
    expect((await users.signInMfa(right, users.codeOf(totpSecret))).status).toBe(200);
    expect((await users.signInMfa(right, users.codeOf(totpSecret))).body).toMatchObject({
      error: 'invalid-ticket',
    });
  });

  it('lets one of two simultaneous attempts with one ticket succeed', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    const { ticket } = (await users.signIn(email)).mfa;
    const code = users.codeOf(totpSecret);
    const responses = await Promise.all([
      users.signInMfa(ticket, code),
      users.signInMfa(ticket, code),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('refuses a user who deactivated the second factor in the meantime', async () => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    const { ticket } = (await users.signIn(email)).mfa;
    await users.change(session, { code: users.codeOf(totpSecret) });
    expect((await users.signInMfa(ticket, users.codeOf(totpSecret))).body).toMatchObject({
      status: 401,
      error: 'disabled-mfa-totp',
    });
  });

  it('refuses a user who was disabled in the meantime', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    const { ticket } = (await users.signIn(email)).mfa;
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute();
    expect((await users.signInMfa(ticket, users.codeOf(totpSecret))).body).toMatchObject({
      error: 'disabled-user',
    });
  });

  it('refuses a ticket after five minutes', async () => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    const { ticket } = (await users.signIn(email)).mfa;
    await backend.db
      .updateTable('auth.tickets')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('user_id', '=', session.user.id)
      .execute();
    expect((await users.signInMfa(ticket, users.codeOf(totpSecret))).body).toMatchObject({
      error: 'invalid-ticket',
    });
  });

  it.each([
    ['an unknown ticket', `mfaTotp:${randomUUID()}`, '123456', 'invalid-ticket'],
    ['a ticket of another purpose', `passwordReset:${randomUUID()}`, '123456', 'invalid-ticket'],
    ['an empty ticket', '', '123456', 'invalid-ticket'],
    ['no ticket', null, '123456', 'invalid-request'],
    ['no code', `mfaTotp:${randomUUID()}`, undefined, 'invalid-request'],
    ['a number as code', `mfaTotp:${randomUUID()}`, 123_456, 'invalid-request'],
  ])('refuses %s', async (_, ticket, otp, error) => {
    expect((await users.signInMfa(ticket, otp)).body).toMatchObject({ error });
  });

  it('records audit events', async () => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    await users.signInMfa((await users.signIn(email)).mfa.ticket, users.wrongCodeOf(totpSecret));
    await users.signInMfa((await users.signIn(email)).mfa.ticket, users.codeOf(totpSecret));
    await users.change(session, { code: users.codeOf(totpSecret) });
    const events = await backend.db
      .selectFrom('auth.events')
      .select('kind')
      .where('user_id', '=', session.user.id)
      .orderBy('id')
      .execute();
    expect(events.map(({ kind }) => kind).slice(-4)).toEqual([
      'mfa-activated',
      'mfa-refused',
      'signed-in',
      'mfa-deactivated',
    ]);
  });
});

describe('guessing the second factor with a known password', () => {
  it('is limited to ten wrong codes, from all addresses and with all tickets together', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    const guess = async (code: string) =>
      await users.signInMfa((await users.signIn(email)).mfa.ticket, code);
    for (let count = 0; count < 10; count += 1) {
      expect((await guess(users.wrongCodeOf(totpSecret))).status).toBe(401);
    }
    const refused = await guess(users.codeOf(totpSecret));
    expect(refused).toMatchObject({ status: 429, body: { error: 'too-many-requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    backend.clock.ahead += 90_000;
    expect((await guess(users.codeOf(totpSecret))).status).toBe(200);
  });

  it('is limited for simultaneous attempts with a session', async () => {
    const { session, totpSecret } = await users.newUserWithMfa();
    const code = users.wrongCodeOf(totpSecret);
    const tries = Array.from({ length: 30 }, () => users.change(session, { code }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('does not limit valid codes', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    for (let count = 0; count < 12; count += 1) {
      const { ticket } = (await users.signIn(email)).mfa;
      expect((await users.signInMfa(ticket, users.codeOf(totpSecret))).status).toBe(200);
    }
  });
});
