import type { User } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWithAuthenticators,
  type UsersWithAuthenticators,
} from '../../../test/auth/users-with-authenticators.ts';
import { type Backend, bearer, stopWithoutErrors } from '../../../test/backend.ts';

let backend: Backend;
let users: UsersWithAuthenticators;
beforeAll(async () => {
  ({ backend, users } = await startWithAuthenticators());
});
afterAll(() => stopWithoutErrors(backend));

describe('POST /user/mfa', () => {
  it('activates with a code, and GET /user reports it', async () => {
    const { email, session } = await users.newUserWithMfa();
    const { body } = await backend.request<User>('/v1/auth/user', { headers: bearer(session) });
    expect(body.activeMfaType).toBe('totp');
    const { user } = session;
    expect(user).not.toHaveProperty('activeMfaType');
    expect(await users.signIn(email)).toEqual({
      mfa: { ticket: expect.stringMatching(/^mfaTotp:/) },
    });
  });

  it.each([
    ['an empty type', { activeMfaType: '' }],
    ['no type', {}],
    ['null', { activeMfaType: null }],
  ])('deactivates with %s, and deletes the secret', async (_, type) => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    const { body } = await users.change(session, { code: users.codeOf(totpSecret), ...type });
    expect(body).toBe('OK');
    expect((await users.signIn(email)).session).toBeDefined();
    const again = await users.change(session, {
      code: users.codeOf(totpSecret),
      activeMfaType: 'totp',
    });
    expect(again.body).toMatchObject({ error: 'no-totp-secret' });
  });

  it('accepts the code that activated it for a sign-in', async () => {
    const { email, session } = await users.newUser();
    const { totpSecret } = (await users.generate(session)).body;
    const code = users.codeOf(totpSecret);
    await users.change(session, { code, activeMfaType: 'totp' });
    const { ticket } = (await users.signIn(email)).mfa;
    expect((await users.signInMfa(ticket, code)).status).toBe(200);
  });

  it('refuses a second activation', async () => {
    const { session, totpSecret } = await users.newUserWithMfa();
    const { body } = await users.change(session, {
      code: users.codeOf(totpSecret),
      activeMfaType: 'totp',
    });
    expect(body).toMatchObject({ status: 400, error: 'totp-already-active' });
  });

  it('refuses wrong codes for activation and deactivation', async () => {
    const { session } = await users.newUser();
    const { totpSecret } = (await users.generate(session)).body;
    const wrong = { code: users.wrongCodeOf(totpSecret) };
    const activation = await users.change(session, { ...wrong, activeMfaType: 'totp' });
    expect(activation.body).toMatchObject({ status: 401, error: 'invalid-totp' });
    const code = users.codeOf(totpSecret);
    await users.change(session, { code, activeMfaType: 'totp' });
    const deactivation = await users.change(session, { code: users.wrongCodeOf(totpSecret) });
    expect(deactivation.body).toMatchObject({ status: 401, error: 'invalid-totp' });
    expect((await users.change(session, { code })).body).toBe('OK');
  });

  it.each([
    ['activation without a secret', { code: '123456', activeMfaType: 'totp' }, 'no-totp-secret'],
    [
      'deactivation without an active factor',
      { code: '123456', activeMfaType: '' },
      'disabled-mfa-totp',
    ],
    ['an unknown type', { code: '123456', activeMfaType: 'sms' }, 'mfa-type-not-found'],
    ['no code', { activeMfaType: 'totp' }, 'invalid-request'],
    ['a number as code', { code: 123_456, activeMfaType: 'totp' }, 'invalid-request'],
    ['a list as type', { code: '123456', activeMfaType: ['totp'] }, 'invalid-request'],
  ])('refuses %s', async (_, body, error) => {
    const { session } = await users.newUser();
    expect((await users.change(session, body)).body).toMatchObject({ error });
  });

  it('refuses an unauthenticated caller', async () => {
    const { body } = await backend.post('/v1/auth/user/mfa', { code: '123456' });
    expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
  });
});
