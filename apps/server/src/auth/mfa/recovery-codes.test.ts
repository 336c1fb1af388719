import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startWithAuthenticators,
  type UsersWithAuthenticators,
} from '../../../test/auth/users-with-authenticators.ts';
import { type Backend, bearer, stopWithoutErrors } from '../../../test/backend.ts';
import { Secret } from '../../secrets/secret.ts';
import { createRecoveryCodes } from './recovery-codes.ts';

let backend: Backend;
let users: UsersWithAuthenticators;
beforeAll(async () => {
  ({ backend, users } = await startWithAuthenticators());
});
afterAll(() => stopWithoutErrors(backend));

const UNKNOWN = '2222-2222-2222';

async function signInWith(email: string, otp: string) {
  return await users.signInMfa((await users.signIn(email)).mfa.ticket, otp);
}

async function lastEvent(userId: string) {
  return await backend.db
    .selectFrom('auth.events')
    .select(['kind', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}

/** How many updates of users wait for a lock. */
async function waitingUpdates(): Promise<number> {
  const { rows } = await backend.pool.query(
    `select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like 'update "auth"."users"%'`,
  );
  return rows.length;
}

describe('POST /mfa/recovery-codes/generate', () => {
  it('returns ten different codes, and stores only their hashes', async () => {
    const { session, recoveryCodes } = await users.newUserWithRecoveryCodes();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes)
      expect(code).toMatch(/^(?:[2-9A-HJ-NP-Z]{4}-){2}[2-9A-Z]{4}$/);
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 10 });
    const { rows } = await backend.pool.query(
      'select u::text as row, recovery_code_hashes from auth.users u where id = $1',
      [session.user.id],
    );
    expect(rows[0].recovery_code_hashes).toHaveLength(10);
    for (const code of recoveryCodes) {
      const symbols = code.replaceAll('-', '');
      expect(rows[0].row).not.toContain(symbols);
      expect(rows[0].row).not.toContain(Buffer.from(symbols).toString('hex'));
    }
    expect(await lastEvent(session.user.id)).toEqual({
      kind: 'recovery-codes-created',
      details: {},
    });
  });

  it('accepts the code that activated the authenticator app', async () => {
    const { session } = await users.newUser();
    const { totpSecret } = (await users.generate(session)).body;
    const code = users.codeOf(totpSecret);
    await users.change(session, { code, activeMfaType: 'totp' });
    expect((await users.generateRecoveryCodes(session, code)).status).toBe(200);
  });

  it('invalidates the previous codes', async () => {
    const { email, session, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    const { body } = await users.generateRecoveryCodes(session, users.codeOf(totpSecret));
    expect((await signInWith(email, recoveryCode)).body).toMatchObject({ error: 'invalid-totp' });
    expect((await signInWith(email, body.recoveryCodes[9] ?? '')).status).toBe(200);
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 9 });
  });

  it('keeps ten codes, those of one response, when it is called simultaneously', async () => {
    const { session, totpSecret } = await users.newUserWithMfa();
    const code = users.codeOf(totpSecret);
    await Promise.all([1, 2, 3].map(() => users.generateRecoveryCodes(session, code)));
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 10 });
  });

  it('refuses a wrong code and a recovery code, and keeps the previous codes', async () => {
    const { email, session, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    for (const code of [users.wrongCodeOf(totpSecret), recoveryCode, '']) {
      expect((await users.generateRecoveryCodes(session, code)).body).toMatchObject({
        status: 401,
        error: 'invalid-totp',
      });
    }
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 10 });
    expect((await signInWith(email, recoveryCode)).status).toBe(200);
  });

  it('refuses a user without an authenticator app', async () => {
    const { session } = await users.newUser();
    expect((await users.generateRecoveryCodes(session, '123456')).body).toMatchObject({
      error: 'disabled-mfa-totp',
    });
    const { totpSecret } = (await users.generate(session)).body;
    const code = users.codeOf(totpSecret);
    expect((await users.generateRecoveryCodes(session, code)).body).toMatchObject({
      error: 'disabled-mfa-totp',
    });
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 0 });
  });
});

describe('POST /signin/mfa/totp with a recovery code', () => {
  it('opens a session once, and records how many codes are left', async () => {
    const { email, session, recoveryCodes } = await users.newUserWithRecoveryCodes();
    const [first = '', second = ''] = recoveryCodes;
    const { status, body } = await signInWith(email, first);
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(session.user.id);
    expect(await lastEvent(session.user.id)).toEqual({
      kind: 'signed-in-with-recovery-code',
      details: { by: 'password', left: '9' },
    });
    expect((await signInWith(email, first)).body).toEqual({
      status: 401,
      error: 'invalid-totp',
      message: 'Invalid TOTP code',
    });
    expect((await lastEvent(session.user.id)).kind).toBe('mfa-refused');
    expect((await signInWith(email, second)).status).toBe(200);
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 8 });
  });

  it.each([
    ['lower case', (code: string) => code.toLowerCase()],
    ['no dashes', (code: string) => code.replaceAll('-', '')],
    ['spaces', (code: string) => ` ${code.replaceAll('-', ' ')}\n`],
    ['other dashes', (code: string) => code.replaceAll('-', '–')],
  ])('accepts it with %s', async (_, write) => {
    const { email, recoveryCode } = await users.newUserWithRecoveryCodes();
    expect((await signInWith(email, write(recoveryCode))).status).toBe(200);
  });

  it('lets one of two simultaneous sign-ins with the same code succeed', async () => {
    const { email, session, recoveryCode } = await users.newUserWithRecoveryCodes();
    const lock = await backend.pool.connect();
    await lock.query('begin');
    await lock.query('select from auth.users where id = $1 for no key update', [session.user.id]);
    const first = signInWith(email, recoveryCode);
    await expect.poll(waitingUpdates).toBe(1);
    const second = signInWith(email, recoveryCode);
    await expect.poll(waitingUpdates).toBe(2);
    await lock.query('commit');
    lock.release();
    const statuses = (await Promise.all([first, second])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401]);
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 9 });
  });

  it('refuses the code of another user', async () => {
    const ada = await users.newUserWithRecoveryCodes();
    const eve = await users.newUserWithRecoveryCodes();
    expect((await signInWith(eve.email, ada.recoveryCode)).body).toMatchObject({
      error: 'invalid-totp',
    });
    expect(await users.recoveryCodesLeft(ada.session)).toEqual({ left: 10 });
  });

  it('still accepts the authenticator app', async () => {
    const { email, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    expect((await signInWith(email, recoveryCode)).status).toBe(200);
    expect((await signInWith(email, users.codeOf(totpSecret))).status).toBe(200);
  });

  it('is limited together with the codes of the authenticator app', async () => {
    const { email, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    for (let count = 0; count < 5; count += 1) {
      expect((await signInWith(email, users.wrongCodeOf(totpSecret))).status).toBe(401);
      expect((await signInWith(email, UNKNOWN)).status).toBe(401);
    }
    expect((await signInWith(email, recoveryCode)).body).toMatchObject({
      error: 'too-many-requests',
    });
    backend.clock.ahead += 90_000;
    expect((await signInWith(email, recoveryCode)).status).toBe(200);
  });
});

describe('POST /user/mfa with a recovery code', () => {
  it('turns the authenticator app off and deletes all codes', async () => {
    const { email, session, recoveryCode } = await users.newUserWithRecoveryCodes();
    expect((await users.change(session, { code: recoveryCode })).body).toBe('OK');
    expect(await lastEvent(session.user.id)).toEqual({
      kind: 'mfa-deactivated',
      details: { by: 'recovery-code' },
    });
    expect(await users.recoveryCodesLeft(session)).toEqual({ left: 0 });
    expect((await users.signIn(email)).session).toBeDefined();
  });

  it('does not activate a new authenticator app', async () => {
    const { session, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    await users.change(session, { code: users.codeOf(totpSecret) });
    await users.generate(session);
    const activation = { code: recoveryCode, activeMfaType: 'totp' };
    expect((await users.change(session, activation)).body).toMatchObject({ error: 'invalid-totp' });
  });

  it('is refused after the app was turned off and on again', async () => {
    const { email, session, totpSecret, recoveryCode } = await users.newUserWithRecoveryCodes();
    await users.change(session, { code: users.codeOf(totpSecret) });
    const next = (await users.generate(session)).body.totpSecret;
    await users.change(session, { code: users.codeOf(next), activeMfaType: 'totp' });
    expect((await users.change(session, { code: recoveryCode })).body).toMatchObject({
      error: 'invalid-totp',
    });
    expect((await signInWith(email, recoveryCode)).status).toBe(401);
  });

  it('is refused if an operator turned the app off in the database before', async () => {
    const { session, recoveryCode } = await users.newUserWithRecoveryCodes();
    await backend.db
      .updateTable('auth.users')
      .set({ active_mfa_type: null, totp_secret: null })
      .where('id', '=', session.user.id)
      .execute();
    const { totpSecret } = (await users.generate(session)).body;
    await users.change(session, { code: users.codeOf(totpSecret), activeMfaType: 'totp' });
    expect((await users.change(session, { code: recoveryCode })).status).toBe(401);
  });
});

describe('the hash of a recovery code', () => {
  const key = new Secret('key');
  const { generate, hashOf } = createRecoveryCodes(key, randomBytes);
  const hash = (userId: string, code: string) => hashOf(userId, new Secret(code))?.toString('hex');

  it('depends on user, code and key, but not on how the code is written', () => {
    const [code = ''] = generate('ada').codes.map((secret) => secret.reveal());
    expect(hash('ada', code)).toBe(hash('ada', code.toLowerCase().replaceAll('-', ' ')));
    const otherKey = createRecoveryCodes(new Secret('other key'), randomBytes);
    const hashes = [
      hash('ada', code),
      hash('eve', code),
      hash('ada', UNKNOWN),
      otherKey.hashOf('ada', new Secret(code))?.toString('hex'),
    ];
    expect(new Set(hashes).size).toBe(4);
  });

  it('is the stored one', () => {
    const { codes, hashes } = generate('ada');
    expect(codes.map((code) => hashOf('ada', code))).toEqual(hashes);
  });

  it.each(['', '123456', '2222-2222-222', '2222-2222-22222', '0000-1111-IIOO'])(
    'does not exist for %j, which has another format',
    (text) => expect(hash('ada', text)).toBeUndefined(),
  );
});

it('requires a bearer token to count recovery codes', async () => {
  const { body } = await backend.request('/v1/auth/mfa/recovery-codes');
  expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
  const { session } = await users.newUserWithRecoveryCodes();
  await backend.post('/v1/auth/signout', { refreshToken: session.refreshToken });
  const { status } = await backend.request('/v1/auth/mfa/recovery-codes', {
    headers: bearer(session),
  });
  expect(status).toBe(401);
});
