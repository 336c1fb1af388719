import { randomUUID } from 'node:crypto';
import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditedKinds, follow, linkFor } from '../../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { allowedRedirects: ['https://app.example.com'] } });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const CLIENT = 'http://localhost:1337/';
const options = { redirectTo: 'https://app.example.com/landing?z=1&a=2' };

/** Requests a link of each purpose for a new user, and returns the recipient. */
const LINK_REQUESTS: Record<string, (session: Session, email: string) => Promise<string>> = {
  verifyEmail: async (_, email) => {
    await backend.post('/v1/auth/user/email/send-verification-email', { email, options });
    return email;
  },
  passwordlessEmail: async (_, email) => {
    await backend.post('/v1/auth/signin/passwordless/email', { email, options });
    return email;
  },
  passwordReset: async (_, email) => {
    await backend.post('/v1/auth/user/password/reset', { email, options });
    return email;
  },
  emailConfirmChange: async (session, email) => {
    const newEmail = `new-${email}`;
    await backend.post('/v1/auth/user/email/change', { newEmail, options }, bearer(session));
    return newEmail;
  },
};

async function mailLink(kind: string) {
  const email = `${randomUUID()}@example.com`;
  const session = await backend.signUp(email);
  const to = (await LINK_REQUESTS[kind]?.(session, email)) ?? '';
  return { link: linkFor(backend, to), email, to, userId: session.user.id };
}

describe.each(Object.keys(LINK_REQUESTS))('a link with a ticket for %s', (kind) => {
  it('signs in once and keeps the query of the redirect target', async () => {
    const { link, to } = await mailLink(kind);
    expect(link.searchParams.get('ticket')).toMatch(new RegExp(`^${kind}:`));
    const { status, address, parameters } = await follow(backend, link);
    expect({ status, address }).toEqual({
      status: 302,
      address: 'https://app.example.com/landing',
    });
    expect(Object.entries(parameters)).toEqual([
      ['a', '2'],
      ['refreshToken', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['type', kind],
      ['z', '1'],
    ]);
    const { body } = await backend.post<Session>('/v1/auth/token', parameters);
    expect(body.user).toMatchObject({ email: to, emailVerified: kind !== 'passwordReset' });

    const again = await follow(backend, link);
    expect(again.parameters).toEqual({
      a: '2',
      error: 'invalid-ticket',
      errorDescription: 'Invalid ticket',
      z: '1',
    });
  });

  it('stays valid after a HEAD request', async () => {
    const { link } = await mailLink(kind);
    const { status } = await backend.request(`${link.pathname}${link.search}`, { method: 'HEAD' });
    expect(status).toBe(200);
    expect((await follow(backend, link)).parameters).toHaveProperty('refreshToken');
  });

  it('expires', async () => {
    const { link, userId } = await mailLink(kind);
    await backend.db
      .updateTable('auth.tickets')
      .set({ expires_at: new Date(0) })
      .where('user_id', '=', userId)
      .execute();
    expect((await follow(backend, link)).parameters).toMatchObject({ error: 'invalid-ticket' });
  });

  it('opens no session for a disabled user', async () => {
    const { link, userId } = await mailLink(kind);
    await backend.db
      .updateTable('auth.users')
      .set({ disabled: true })
      .where('id', '=', userId)
      .execute();
    expect((await follow(backend, link)).parameters).toMatchObject({ error: 'disabled-user' });
  });

  it('redirects to the console and stays valid when its target was changed to one that is not allowed', async () => {
    const { link } = await mailLink(kind);
    const changedLink = new URL(link);
    changedLink.searchParams.set('redirectTo', 'http://localhost.evil.example:1337/');
    expect(await follow(backend, changedLink)).toEqual({
      status: 302,
      address: CLIENT,
      parameters: {
        error: 'redirectTo-not-allowed',
        errorDescription: 'The value of "options.redirectTo" is not allowed.',
      },
    });
    expect((await follow(backend, link)).parameters).toHaveProperty('refreshToken');
  });

  it('stops working when a newer one is sent', async () => {
    const { link, email, to, userId } = await mailLink(kind);
    const session = { accessToken: '' } as Session;
    if (kind === 'emailConfirmChange') {
      const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/email-password', {
        email,
        password: 'correct horse',
      });
      session.accessToken = body.session.accessToken;
    }
    await LINK_REQUESTS[kind]?.(session, email);
    expect((await follow(backend, link)).parameters).toMatchObject({ error: 'invalid-ticket' });
    expect((await follow(backend, linkFor(backend, to))).parameters).toHaveProperty('refreshToken');
    expect(await auditedKinds(backend, userId)).toContain('signed-in');
  });
});

it('records the e-mail change and the sign-in as audit events', async () => {
  const { link, userId } = await mailLink('emailConfirmChange');
  await follow(backend, link);
  expect(await auditedKinds(backend, userId)).toEqual(
    expect.arrayContaining(['email-change-asked', 'email-changed', 'signed-in']),
  );
});

it('refuses a new address that another user has taken in the meantime', async () => {
  const { link, to, email, userId } = await mailLink('emailConfirmChange');
  await backend.signUp(to);
  expect((await follow(backend, link)).parameters).toMatchObject({
    error: 'user-already-exists',
    errorDescription: 'User already exists',
  });
  const user = await backend.db
    .selectFrom('auth.users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  expect(user).toEqual({ email });
});

it('invalidates links to the old address when it changes', async () => {
  const { link, email } = await mailLink('emailConfirmChange');
  await LINK_REQUESTS.passwordReset?.({} as Session, email);
  const reset = linkFor(backend, email);
  await follow(backend, link);
  expect((await follow(backend, reset)).parameters).toMatchObject({ error: 'invalid-ticket' });
});

it('opens one session when a link is followed many times simultaneously', async () => {
  const { link } = await mailLink('passwordlessEmail');
  const all = await Promise.all(Array.from({ length: 8 }, () => follow(backend, link)));
  expect(all.filter(({ parameters }) => 'refreshToken' in parameters)).toHaveLength(1);
});

it.each([
  ['nothing', ''],
  ['text without a prefix', 'hello'],
  ['an unknown one', `verifyEmail:${randomUUID()}`],
  ['only a prefix', 'verifyEmail:'],
  ['the name of an Object.prototype property', `constructor:${randomUUID()}`],
  ['a null character', 'verifyEmail:\u0000'],
  ['a long one', `verifyEmail:${'x'.repeat(10_000)}`],
])('redirects with an error when the ticket is %s', async (_, ticket) => {
  const query = new URLSearchParams({ ticket, redirectTo: CLIENT });
  const response = await follow(backend, new URL(`http://localhost/v1/auth/verify?${query}`));
  expect(response).toMatchObject({
    status: 302,
    address: CLIENT,
    parameters: { error: 'invalid-ticket' },
  });
});

it('does not redeem an MFA ticket', async () => {
  const { user } = await backend.signUp();
  const ticket_hash = Buffer.from('hash of a ticket');
  await backend.db
    .insertInto('auth.tickets')
    .values({ user_id: user.id, purpose: 'mfaTotp', ticket_hash, expires_at: new Date(2 ** 42) })
    .execute();
  const query = new URLSearchParams({ ticket: `mfaTotp:${randomUUID()}`, redirectTo: CLIENT });
  const { parameters } = await follow(backend, new URL(`http://x/v1/auth/verify?${query}`));
  expect(parameters).toMatchObject({ error: 'invalid-ticket' });
});

it.each([
  ['', 'no redirectTo'],
  ['?ticket=verifyEmail:1', 'no redirectTo next to the ticket'],
  ['?redirectTo=', 'an empty redirectTo'],
  ['?redirectTo=%2Fdashboard', 'a relative path'],
  ['?redirectTo=http%3A%2F%2F', 'an incomplete URL'],
  ['?redirectTo=%E0%A4%A&ticket=%ff', 'invalid percent encoding'],
  ['?redirectTo=http%3A%2F%2Flocalhost%3A1337.evil', 'an invalid port'],
])('responds to “%s” (%s) with JSON', async (query) => {
  const { status, body } = await backend.request(`/v1/auth/verify${query}`);
  expect({ status, body }).toEqual({
    status: 400,
    body: { status: 400, error: 'invalid-request', message: 'The request payload is incorrect' },
  });
});

it('works at the alternative base path too', async () => {
  const { link } = await mailLink('verifyEmail');
  const other = new URL(link.href.replace('/v1/auth/', '/auth/v1/'));
  expect((await follow(backend, other)).parameters).toHaveProperty('refreshToken');
});
