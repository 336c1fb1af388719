import { randomUUID } from 'node:crypto';
import type { Session, User } from '@longshore/contract';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../test-support/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

type Generated = { imageUrl: string; totpSecret: string };

/** What an authenticator shows; each call after a while, as codes are good once. */
function codeOf(secret: string): string {
  backend.clock.ahead += 30_000;
  return generateSync({ secret, epoch: Math.floor(backend.clock.now() / 1_000) });
}

/** Another one than the authenticator shows. */
function wrongCodeOf(secret: string): string {
  const shown = [-30, 0, 30].map((seconds) =>
    generateSync({ secret, epoch: Math.floor(backend.clock.now() / 1_000) + seconds }),
  );
  return ['000000', '111111', '222222', '333333'].find((code) => !shown.includes(code)) ?? '';
}

const generate = (session: Session) =>
  backend.ask<Generated>('/v1/auth/mfa/totp/generate', { headers: bearer(session) });

const change = (session: Session, body: unknown) =>
  backend.post<unknown>('/v1/auth/user/mfa', body, bearer(session));

const signInMfa = (ticket: unknown, otp: unknown) =>
  backend.post<{ session: Session }>('/v1/auth/signin/mfa/totp', { ticket, otp });

/** Signs in anew, as time has passed. */
async function signIn(email: string) {
  const { body } = await backend.post<{ session: Session; mfa: { ticket: string } }>(
    '/v1/auth/signin/email-password',
    { email, password: 'correct horse' },
  );
  return body;
}

async function newUser() {
  const email = `${randomUUID()}@example.com`;
  await backend.post('/v1/auth/signup/email-password', { email, password: 'correct horse' });
  const { session } = await signIn(email);
  return { email, session };
}

async function newUserWithMfa() {
  const { email, session } = await newUser();
  const { totpSecret } = (await generate(session)).body;
  const { body } = await change(session, { code: codeOf(totpSecret), activeMfaType: 'totp' });
  expect(body).toBe('OK');
  return { email, session, totpSecret };
}

describe('GET /mfa/totp/generate', () => {
  it('hands out a secret and its picture, 200 pixels wide and high', async () => {
    const { session } = await newUser();
    const { status, body } = await generate(session);
    expect(status).toBe(200);
    expect(body.totpSecret).toMatch(/^[A-Z2-7]{52}$/);
    const [head, image] = body.imageUrl.split(',');
    expect(head).toBe('data:image/png;base64');
    const png = Buffer.from(image ?? '', 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([200, 200]);
  });

  it('stores the secret unreadable, and does not ask for codes yet', async () => {
    const { email, session } = await newUser();
    const { totpSecret } = (await generate(session)).body;
    const row = await backend.db
      .selectFrom('auth.users')
      .select(['totp_secret', 'active_mfa_type'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(row.totp_secret).not.toContain(totpSecret);
    expect(row.active_mfa_type).toBeNull();
    expect((await signIn(email)).session).toBeDefined();
  });

  it('does not replace a secret in use', async () => {
    const { email, session, totpSecret } = await newUserWithMfa();
    expect((await generate(session)).body).toMatchObject({ error: 'totp-already-active' });
    const { ticket } = (await signIn(email)).mfa;
    expect((await signInMfa(ticket, codeOf(totpSecret))).status).toBe(200);
  });

  it.each([
    ['nobody', () => ({}), 401, 'unauthorized'],
    ['an anonymous user', anonymous, 403, 'forbidden-anonymous'],
  ])('refuses %s', async (_, headersOf, status, error) => {
    const headers = await headersOf();
    const answer = await backend.ask('/v1/auth/mfa/totp/generate', { headers });
    expect(answer.body).toMatchObject({ status, error });
  });
});

describe('POST /user/mfa', () => {
  it('activates with a code, which GET /user then tells', async () => {
    const { email, session } = await newUserWithMfa();
    const { body } = await backend.ask<User>('/v1/auth/user', { headers: bearer(session) });
    expect(body.activeMfaType).toBe('totp');
    const { user } = session;
    expect(user).not.toHaveProperty('activeMfaType');
    expect(await signIn(email)).toEqual({ mfa: { ticket: expect.stringMatching(/^mfaTotp:/) } });
  });

  it.each([
    ['an empty type', { activeMfaType: '' }],
    ['no type', {}],
    ['null', { activeMfaType: null }],
  ])('deactivates by %s, and forgets the secret', async (_, type) => {
    const { email, session, totpSecret } = await newUserWithMfa();
    const { body } = await change(session, { code: codeOf(totpSecret), ...type });
    expect(body).toBe('OK');
    expect((await signIn(email)).session).toBeDefined();
    const again = await change(session, { code: codeOf(totpSecret), activeMfaType: 'totp' });
    expect(again.body).toMatchObject({ error: 'no-totp-secret' });
  });

  it('refuses a second activation', async () => {
    const { session, totpSecret } = await newUserWithMfa();
    const { body } = await change(session, { code: codeOf(totpSecret), activeMfaType: 'totp' });
    expect(body).toMatchObject({ status: 400, error: 'totp-already-active' });
  });

  it('refuses wrong codes, both ways', async () => {
    const { session } = await newUser();
    const { totpSecret } = (await generate(session)).body;
    const wrong = { code: wrongCodeOf(totpSecret) };
    const activation = await change(session, { ...wrong, activeMfaType: 'totp' });
    expect(activation.body).toMatchObject({ status: 401, error: 'invalid-totp' });
    const code = codeOf(totpSecret);
    await change(session, { code, activeMfaType: 'totp' });
    const deactivation = await change(session, { code: wrongCodeOf(totpSecret) });
    expect(deactivation.body).toMatchObject({ status: 401, error: 'invalid-totp' });
    const used = await change(session, { code });
    expect(used.body).toMatchObject({ status: 401, error: 'invalid-totp' });
  });

  it.each([
    ['activation without a secret', { code: '123456', activeMfaType: 'totp' }, 'no-totp-secret'],
    ['deactivation of nothing', { code: '123456', activeMfaType: '' }, 'disabled-mfa-totp'],
    ['an unknown type', { code: '123456', activeMfaType: 'sms' }, 'mfa-type-not-found'],
    ['no code', { activeMfaType: 'totp' }, 'invalid-request'],
    ['a number for a code', { code: 123_456, activeMfaType: 'totp' }, 'invalid-request'],
    ['a list for a type', { code: '123456', activeMfaType: ['totp'] }, 'invalid-request'],
  ])('refuses %s', async (_, body, error) => {
    const { session } = await newUser();
    expect((await change(session, body)).body).toMatchObject({ error });
  });

  it('refuses nobody', async () => {
    const { body } = await backend.post('/v1/auth/user/mfa', { code: '123456' });
    expect(body).toMatchObject({ status: 401, error: 'unauthorized' });
  });
});

describe('POST /signin/mfa/totp', () => {
  it('opens a session with the code of an authenticator', async () => {
    const { email, session, totpSecret } = await newUserWithMfa();
    const { ticket } = (await signIn(email)).mfa;
    const { status, body } = await signInMfa(ticket, codeOf(totpSecret));
    expect(status).toBe(200);
    expect(body.session.user.id).toBe(session.user.id);
  });

  it('takes a code once', async () => {
    const { email, totpSecret } = await newUserWithMfa();
    const first = (await signIn(email)).mfa.ticket;
    const code = codeOf(totpSecret);
    expect((await signInMfa(first, code)).status).toBe(200);
    const second = (await signIn(email)).mfa.ticket;
    const { body } = await signInMfa(second, code);
    expect(body).toEqual({ status: 401, error: 'invalid-totp', message: 'Invalid TOTP code' });
  });

  it('burns the ticket at the first attempt, right or wrong', async () => {
    const { email, totpSecret } = await newUserWithMfa();
    const wrong = (await signIn(email)).mfa.ticket;
    expect((await signInMfa(wrong, wrongCodeOf(totpSecret))).body).toMatchObject({
      error: 'invalid-totp',
    });
    expect((await signInMfa(wrong, codeOf(totpSecret))).body).toMatchObject({
      status: 401,
      error: 'invalid-ticket',
    });
    const right = (await signIn(email)).mfa.ticket;
    expect((await signInMfa(right, codeOf(totpSecret))).status).toBe(200);
    expect((await signInMfa(right, codeOf(totpSecret))).body).toMatchObject({
      error: 'invalid-ticket',
    });
  });

  it('lets one of two simultaneous attempts with one ticket win', async () => {
    const { email, totpSecret } = await newUserWithMfa();
    const { ticket } = (await signIn(email)).mfa;
    const code = codeOf(totpSecret);
    const answers = await Promise.all([signInMfa(ticket, code), signInMfa(ticket, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('refuses a user who gave the second factor up meanwhile', async () => {
    const { email, session, totpSecret } = await newUserWithMfa();
    const { ticket } = (await signIn(email)).mfa;
    await change(session, { code: codeOf(totpSecret) });
    expect((await signInMfa(ticket, codeOf(totpSecret))).body).toMatchObject({
      status: 401,
      error: 'disabled-mfa-totp',
    });
  });

  it('refuses a user who was disabled meanwhile', async () => {
    const { email, totpSecret } = await newUserWithMfa();
    const { ticket } = (await signIn(email)).mfa;
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute();
    expect((await signInMfa(ticket, codeOf(totpSecret))).body).toMatchObject({
      error: 'disabled-user',
    });
  });

  it('refuses a ticket whose five minutes are over', async () => {
    const { email, session, totpSecret } = await newUserWithMfa();
    const { ticket } = (await signIn(email)).mfa;
    await backend.db
      .updateTable('auth.tickets')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('user_id', '=', session.user.id)
      .execute();
    expect((await signInMfa(ticket, codeOf(totpSecret))).body).toMatchObject({
      error: 'invalid-ticket',
    });
  });

  it.each([
    ['an unknown ticket', `mfaTotp:${randomUUID()}`, '123456', 'invalid-ticket'],
    ['a ticket for something else', `passwordReset:${randomUUID()}`, '123456', 'invalid-ticket'],
    ['an empty ticket', '', '123456', 'invalid-ticket'],
    ['no ticket', null, '123456', 'invalid-request'],
    ['no code', `mfaTotp:${randomUUID()}`, undefined, 'invalid-request'],
    ['a number for a code', `mfaTotp:${randomUUID()}`, 123_456, 'invalid-request'],
  ])('refuses %s', async (_, ticket, otp, error) => {
    expect((await signInMfa(ticket, otp)).body).toMatchObject({ error });
  });

  it('writes down what happened', async () => {
    const { email, session, totpSecret } = await newUserWithMfa();
    await signInMfa((await signIn(email)).mfa.ticket, wrongCodeOf(totpSecret));
    await signInMfa((await signIn(email)).mfa.ticket, codeOf(totpSecret));
    await change(session, { code: codeOf(totpSecret) });
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

async function anonymous(): Promise<Record<string, string>> {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  return bearer(body.session);
}
