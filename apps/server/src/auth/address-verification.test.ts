import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { follow } from '../../test/auth/mail-links.ts';
import { type Backend, bearer, startBackend } from '../../test/backend.ts';
import type { Mail, TextMessage } from '../mail/mailer.ts';

let backend: Backend;
const mails: Mail[] = [];
const texts: TextMessage[] = [];
/** Messages to these recipients are recorded, but `send` stays pending until the promise is resolved. */
const heldRecipients = new Map<string, PromiseWithResolvers<void>>();

beforeAll(async () => {
  backend = await startBackend({
    settings: { requireVerifiedEmail: false },
    mailer: { send: async (mail) => void (await record(mails, mail)) },
    smsSender: { send: async (text) => void (await record(texts, text)) },
  });
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

async function record<T extends { to: string }>(messages: T[], message: T): Promise<void> {
  messages.push(message);
  await heldRecipients.get(message.to)?.promise;
}

function hold(...addresses: string[]): void {
  for (const address of addresses) heldRecipients.set(address, Promise.withResolvers());
}

async function message<T extends { to: string }>(messages: T[], to: string): Promise<T> {
  const newest = () => messages.findLast((sent) => sent.to === to);
  await expect.poll(newest).toBeDefined();
  return newest() as T;
}

const linkTo = async (to: string) => new URL((await message(mails, to)).link ?? '');
const codeIn = (text: string | undefined) => /\d{6}/.exec(text ?? '')?.[0];

async function anonymous(): Promise<Session> {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  return body.session;
}

async function row(userId: string) {
  return await backend.db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** The number of database connections that wait for a lock. */
async function waitingConnections(): Promise<number> {
  const { rows } = await backend.pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

it('does not verify a second new address with the link mailed to the first one', async () => {
  const session = await backend.signUp('change-race@example.com');
  const change = (newEmail: string) =>
    backend.post('/v1/auth/user/email/change', { newEmail }, bearer(session));
  await change('mine@example.com');
  const link = await linkTo('mine@example.com');

  // The lock blocks the second request after it has stored the address and before it sends the mail.
  const blocker = await backend.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table auth.events in share row exclusive mode');
  const second = change('victim@example.com');
  await expect.poll(async () => (await row(session.user.id)).new_email).toBe('victim@example.com');
  let hasResponded = false;
  const followed = follow(backend, link).then(() => {
    hasResponded = true;
  });
  await expect.poll(async () => hasResponded || (await waitingConnections()) === 2).toBe(true);
  await blocker.query('rollback');
  blocker.release();
  await Promise.all([second, followed]);
  expect((await row(session.user.id)).email).toBe('change-race@example.com');
});

it('refuses a code that was mailed to the previous address after the address changed', async () => {
  const session = await backend.signUp('earlier@example.com');
  await backend.post('/v1/auth/signin/otp/email', { email: 'earlier@example.com' });
  const otp = (await message(mails, 'earlier@example.com')).code;
  await backend.post(
    '/v1/auth/user/email/change',
    { newEmail: 'later@example.com' },
    bearer(session),
  );
  await follow(backend, await linkTo('later@example.com'));
  expect((await row(session.user.id)).email).toBe('later@example.com');
  const body = { email: 'later@example.com', otp };
  expect((await backend.post('/v1/auth/signin/otp/email/verify', body)).body).toMatchObject({
    error: 'invalid-otp',
  });
});

it('does not verify an address of an anonymous user with the link mailed to another address', async () => {
  const session = await anonymous();
  const register = (email: string) =>
    backend.post(
      '/v1/auth/user/deanonymize',
      { signInMethod: 'passwordless', connection: 'email', email },
      bearer(session),
    );
  hold('victim@example.org', 'mine@example.org');
  const first = register('victim@example.org');
  await linkTo('victim@example.org');
  const second = register('mine@example.org');
  const link = await linkTo('mine@example.org');
  heldRecipients.get('victim@example.org')?.resolve();
  await first;
  await follow(backend, link);
  heldRecipients.get('mine@example.org')?.resolve();
  expect((await second).status).toBe(409);
  expect(await row(session.user.id)).toMatchObject({
    email: 'victim@example.org',
    email_verified: false,
  });
});

it('does not verify an address with a link that was followed before the address was stored', async () => {
  const session = await anonymous();
  const register = (email: string) =>
    backend.post(
      '/v1/auth/user/deanonymize',
      { signInMethod: 'passwordless', email },
      bearer(session),
    );
  hold('mine@example.net');
  const first = register('mine@example.net');
  const link = await linkTo('mine@example.net');
  await follow(backend, link);
  await backend.signUp('mine@example.net');
  heldRecipients.get('mine@example.net')?.resolve();
  expect((await first).status).toBe(409);
  expect((await register('victim@example.net')).status).toBe(200);
  expect((await row(session.user.id)).email_verified).toBe(false);
});

it('does not verify a phone number with the code for another one', async () => {
  const session = await anonymous();
  const [victim, mine] = ['+4915100000001', '+4915100000002'] as const;
  const register = (phoneNumber: string) =>
    backend.post(
      '/v1/auth/user/deanonymize',
      { signInMethod: 'passwordless', connection: 'sms', phoneNumber },
      bearer(session),
    );
  hold(victim, mine);
  const first = register(victim);
  await message(texts, victim);
  const second = register(mine);
  const otp = codeIn((await message(texts, mine)).text);
  heldRecipients.get(victim)?.resolve();
  await first;
  heldRecipients.get(mine)?.resolve();
  expect((await second).status).toBe(409);
  const body = { phoneNumber: victim, otp };
  expect((await backend.post('/v1/auth/signin/passwordless/sms/otp', body)).body).toMatchObject({
    error: 'invalid-otp',
  });
});
