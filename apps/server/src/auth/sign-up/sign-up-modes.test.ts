import { SERVICE_PATHS, type Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../../../test/auth/providers/browser.ts';
import { type OpenidHost, startOpenidHost } from '../../../test/auth/providers/openid-host.ts';
import type { Person } from '../../../test/auth/providers/test-provider.ts';
import { signUpsOf } from '../../../test/auth/sign-ups.ts';
import { type Backend, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { createTestDatabase } from '../../../test/db/test-database.ts';
import { migrate } from '../../db/migrate.ts';
import { issueInvitation, revokeInvitation } from './invitations.ts';
import type { SignUpRule } from './sign-up-rule.ts';

const AUTH = SERVICE_PATHS.auth[0];
const password = 'correct horse';

/** Changes the mode of `backend`; `local` allows every sign-up on the same database. */
let local: Backend;
let backend: Backend;
let host: OpenidHost;
let anonymous: Session;
beforeAll(async () => {
  host = await startOpenidHost();
  const settings = { providers: { google: host.client } };
  const database = await createTestDatabase(migrate);
  const open: SignUpRule = { mode: 'open', domains: [] };
  const persistent = { ...database, drop: async () => {} };
  local = await startBackend({ settings, signUp: open, database: persistent });
  await local.signUp('ada@example.com');
  await local.db.updateTable('auth.users').set({ email_verified: true }).execute();
  const { body } = await local.post<{ session: Session }>(`${AUTH}/signin/anonymous`, '');
  backend = await startBackend({ settings, database });
  const { refreshToken } = body.session;
  anonymous = (await backend.post<Session>(`${AUTH}/token`, { refreshToken })).body;
});
afterAll(async () => {
  await stopWithoutErrors(local);
  await stopWithoutErrors(backend);
  await host.stop();
});

const setRule = (rule: SignUpRule) => backend.auth.signUpSettings.change(backend.db, rule);

async function usersOf({ db }: Backend) {
  const users = db.selectFrom('auth.users').select(['id', 'email', 'is_anonymous']);
  return await users.orderBy('created_at').execute();
}

function bePerson(person: Partial<Person>): void {
  host.behaviour.person = { ...host.behaviour.person, ...person };
}

const OUTSIDER = 'eve@attacker.example';
const signUps = signUpsOf(() => ({ backend, local, host, anonymous, email: OUTSIDER }));

describe.each<[string, SignUpRule]>([
  ['closed', { mode: 'closed', domains: [] }],
  ['invite', { mode: 'invite', domains: [] }],
  ['domains', { mode: 'domains', domains: ['example.org'] }],
])('mode %s', (_, rule) => {
  beforeAll(async () => {
    await setRule(rule);
    bePerson({ email: OUTSIDER });
  });

  it.each(signUps)('%s creates no user', async (_, signUp) => {
    const before = await usersOf(backend);
    expect(await signUp()).toBe('signup-disabled');
    expect(await usersOf(backend)).toEqual(before);
    expect([backend.mails, backend.texts]).toEqual([[], []]);
  });

  it('lets existing users sign in', async () => {
    const body = { email: 'ada@example.com', password };
    expect((await backend.post(`${AUTH}/signin/email-password`, body)).status).toBe(200);
    bePerson({ email: 'ada@example.com' });
    expect(await signInWithIdToken()).toMatchObject({ session: { user: { email: body.email } } });
    await backend.db.deleteFrom('auth.provider_accounts').execute();
  });
});

async function signInWithIdToken() {
  const idToken = await host.idToken(createBrowser(backend));
  return (await backend.post(`${AUTH}/signin/idtoken`, { provider: 'google', idToken })).body;
}

const signUp = (email: string, fields: object = {}) =>
  backend.post<{ session?: Session; error?: string }>(`${AUTH}/signup/email-password`, {
    email,
    password,
    ...fields,
  });

describe('mode domains', () => {
  beforeAll(() => setRule({ mode: 'domains', domains: ['example.org'] }));

  it('opens no session before the address is verified', async () => {
    const { status, body } = await signUp('Bob@Example.ORG');
    expect({ status, body }).toEqual({ status: 200, body: {} });
    const again = { email: 'bob@example.org', password };
    const refused = await backend.post(`${AUTH}/signin/email-password`, again);
    expect(refused.body).toMatchObject({ error: 'unverified-user' });

    const link = new URL(backend.mails.splice(0)[0]?.link ?? '');
    await backend.app.request(`${link.pathname}${link.search}`);
    const { status: signedIn } = await backend.post(`${AUTH}/signin/email-password`, again);
    expect(signedIn).toBe(200);
  });

  it.each([OUTSIDER, 'eve@mail.example.org', 'eve@example.org.attacker.example'])(
    'refuses %s',
    async (email) => {
      expect((await signUp(email)).body).toMatchObject({ error: 'signup-disabled' });
    },
  );
});

describe('an invitation', () => {
  beforeAll(() => setRule({ mode: 'invite', domains: [] }));

  const invite = (email: string) =>
    issueInvitation(backend.db, email, (count) => crypto.getRandomValues(new Uint8Array(count)));

  it('lets the invited address sign up once', async () => {
    const email = 'carol@example.net';
    const { mailedToken, copiedToken } = await invite(email);
    const first = await signUp(email, { invitation: mailedToken.reveal() });
    expect(first.body.session?.user).toMatchObject({ email, emailVerified: true });
    for (const token of [mailedToken, copiedToken]) {
      const second = await signUp('eve@example.net', { invitation: token.reveal() });
      expect(second.body).toMatchObject({ status: 403, error: 'invalid-invitation' });
    }
  });

  it('does not verify the address by the link that the operator copies', async () => {
    const email = 'dave@example.net';
    const { copiedToken } = await invite(email);
    const { body } = await signUp(email, { invitation: copiedToken.reveal() });
    expect(body.session?.user).toMatchObject({ email, emailVerified: false });
  });

  it('is bound to its address', async () => {
    const { mailedToken } = await invite('erin@example.net');
    const { body } = await signUp(OUTSIDER, { invitation: mailedToken.reveal() });
    expect(body).toMatchObject({ error: 'invalid-invitation' });
    const own = await signUp('erin@example.net', { invitation: mailedToken.reveal() });
    expect(own.status).toBe(200);
  });

  it('admits a provider account whose verified address is invited', async () => {
    bePerson({ email: 'mallory@example.net', isVerified: false });
    const { row } = await invite('mallory@example.net');
    expect(await signInWithIdToken()).toMatchObject({ error: 'signup-disabled' });
    bePerson({ isVerified: true });
    const { session } = (await signInWithIdToken()) as { session: Session };
    const invitations = backend.db.selectFrom('auth.invitations').select('accepted_by');
    expect(await invitations.where('id', '=', row.id).execute()).toEqual([
      { accepted_by: session.user.id },
    ]);
  });

  it('creates one account from simultaneous sign-ups', async () => {
    const email = 'frank@example.net';
    const { mailedToken, copiedToken } = await invite(email);
    const tokens = [mailedToken, copiedToken, mailedToken, copiedToken];
    const responses = await Promise.all(
      tokens.map((token) => signUp(email, { invitation: token.reveal() })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is invalid after it was sent again, revoked or expired', async () => {
    const email = 'grace@example.net';
    const refused = async (token: { reveal(): string }) =>
      expect((await signUp(email, { invitation: token.reveal() })).body).toMatchObject({
        error: 'invalid-invitation',
      });
    const old = await invite(email);
    const { row, mailedToken, copiedToken } = await invite(email);
    expect(row.id).toBe(old.row.id);
    await refused(old.mailedToken);
    await refused(old.copiedToken);
    await backend.db
      .updateTable('auth.invitations')
      .set({ expires_at: sql<Date>`now()` })
      .where('id', '=', row.id)
      .execute();
    await refused(mailedToken);
    await invite(email);
    await revokeInvitation(backend.db, row.id);
    await refused(copiedToken);
    expect(await revokeInvitation(backend.db, row.id)).toBeUndefined();
  });

  it('is refused while sign-up is closed, and works again afterwards', async () => {
    const email = 'heidi@example.net';
    const { mailedToken } = await invite(email);
    await setRule({ mode: 'closed', domains: [] });
    const { body } = await signUp(email, { invitation: mailedToken.reveal() });
    expect(body).toMatchObject({ error: 'signup-disabled' });
    await setRule({ mode: 'invite', domains: [] });
    expect((await signUp(email, { invitation: mailedToken.reveal() })).status).toBe(200);
  });

  it('stays usable when the sign-up was rolled back', async () => {
    const { row, mailedToken } = await invite('ivan@example.net');
    await signUp('ivan@example.net', { invitation: mailedToken.reveal() });
    await backend.db.deleteFrom('auth.users').where('email', '=', row.email).execute();
    const again = await signUp('ivan@example.net', { invitation: mailedToken.reveal() });
    expect(again.status).toBe(200);
  });

  it('stores only hashes of its tokens', async () => {
    const { copiedToken, mailedToken } = await invite('judy@example.net');
    const { rows } = await backend.pool.query('select * from auth.invitations');
    const text = JSON.stringify(rows);
    for (const token of [copiedToken, mailedToken]) expect(text).not.toContain(token.reveal());
  });
});

it('lets the first account sign up in every mode', async () => {
  const signUp: SignUpRule = { mode: 'closed', domains: [] };
  const fresh = await startBackend({ signUp });
  expect(await fresh.auth.signUpMode()).toBe('open');
  const emails = Array.from({ length: 4 }, (_, at) => `person-${at}@example.com`);
  const sessions = await Promise.all(emails.map((email) => fresh.signUp(email)));
  expect(sessions.filter((session) => session !== undefined)).toHaveLength(1);
  expect(await fresh.auth.signUpMode()).toBe('closed');
  await stopWithoutErrors(fresh);
});
