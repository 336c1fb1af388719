import type { Session } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { follow, linkFor } from '../../test/auth/mail-links.ts';
import { createBrowser } from '../../test/auth/providers/browser.ts';
import { type OpenidHost, startOpenidHost } from '../../test/auth/providers/openid-host.ts';
import {
  newCodePair,
  PASSWORD,
  type SignInAnswer,
  signInScenarios,
} from '../../test/auth/sign-in-scenarios.ts';
import {
  startWithAuthenticators,
  type UsersWithAuthenticators,
} from '../../test/auth/users-with-authenticators.ts';
import { type Backend, bearer, stopWithoutErrors } from '../../test/backend.ts';
import { Secret } from '../secrets/secret.ts';
import { createRefreshTokens } from './refresh-tokens/refresh-tokens.ts';

let google: OpenidHost;
let backend: Backend;
let users: UsersWithAuthenticators;
let ways: ReturnType<typeof signInScenarios>;
beforeAll(async () => {
  google = await startOpenidHost();
  ({ backend, users } = await startWithAuthenticators({
    settings: { providers: { google: google.client } },
  }));
  ways = signInScenarios({ backend, users, google });
});
afterAll(async () => {
  await stopWithoutErrors(backend);
  await google.stop();
});

const TICKET = /^mfaTotp:[0-9a-f-]{36}$/;

type Scenarios = ReturnType<typeof signInScenarios>['scenarios'];

/** What an account with an authenticator app gets. */
const ANSWERS: Record<keyof Scenarios, 'session' | 'ticket' | 'redirect'> = {
  password: 'ticket',
  'email-code': 'ticket',
  'sms-code': 'ticket',
  'id-token': 'ticket',
  'code-exchange': 'ticket',
  'security-key': 'ticket',
  provider: 'redirect',
  verifyEmail: 'redirect',
  passwordlessEmail: 'redirect',
  passwordReset: 'redirect',
  emailConfirmChange: 'redirect',
  'verified-security-key': 'session',
  elevation: 'session',
  'verified-elevation': 'session',
  'personal-access-token': 'session',
};

async function sessionIds(userId: string): Promise<string[]> {
  const rows = await backend.db
    .selectFrom('auth.refresh_tokens')
    .select('id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ id }) => id);
}

async function userRow(userId: string) {
  return await backend.db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** Starts a sign-in before the second factor is turned on, and continues it afterwards. */
async function signInBy(way: keyof Scenarios) {
  const { email, session } = await users.newUser();
  const request = await ways.scenarios[way]({ email, session });
  const totpSecret = await users.activate(session);
  const before = await sessionIds(session.user.id);
  const answer = await request();
  return { email, session, totpSecret, before, answer, request };
}

function ticketOf(answer: SignInAnswer): string {
  const { ticket } = (answer.mfa ?? answer) as { ticket: string };
  return ticket;
}

describe.each(Object.entries(ANSWERS))(
  'an account with a second factor, by %s',
  (name, expected) => {
    const way = name as keyof Scenarios;

    it(`gets a ${expected}`, async () => {
      const { session, totpSecret, before, answer } = await signInBy(way);
      if (expected === 'session') {
        expect(answer).toMatchObject({ session: { user: { id: session.user.id } } });
        return;
      }
      const ticket = expect.stringMatching(TICKET);
      expect(answer).toEqual(
        expected === 'ticket'
          ? { mfa: { ticket } }
          : { error: 'mfa-required', errorDescription: expect.any(String), ticket },
      );
      expect(await sessionIds(session.user.id)).toEqual(before);

      const { status, body } = await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
      expect(status).toBe(200);
      expect(body.session.user.id).toBe(session.user.id);
      const again = await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
      expect(again.body).toMatchObject({ error: 'invalid-ticket' });
    });

    it('is refused if it was disabled before the code', async () => {
      if (expected === 'session') return;
      const { session, totpSecret, before, answer } = await signInBy(way);
      await backend.db
        .updateTable('auth.users')
        .set({ disabled: true })
        .where('id', '=', session.user.id)
        .execute();
      const { body } = await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
      expect(body).toMatchObject({ error: 'disabled-user' });
      expect(await sessionIds(session.user.id)).toEqual(before);
    });
  },
);

describe('what a first factor proves', () => {
  it('changes the address only after the code', async () => {
    const { email, session, totpSecret, answer } = await signInBy('emailConfirmChange');
    const { new_email: newEmail } = await userRow(session.user.id);
    expect(await userRow(session.user.id)).toMatchObject({ email });
    await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
    expect(await userRow(session.user.id)).toMatchObject({ email: newEmail, new_email: null });
  });

  it.each(['verifyEmail', 'passwordlessEmail', 'email-code'] as const)(
    'verifies the address only after the code, by %s',
    async (way) => {
      const { session, totpSecret, answer } = await signInBy(way);
      expect(await userRow(session.user.id)).toMatchObject({ email_verified: false });
      await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
      const after = await userRow(session.user.id);
      expect(after).toMatchObject({ email_verified: true, active_mfa_type: 'totp' });
    },
  );

  it.each(['provider', 'id-token'] as const)(
    'links the account only after the code, by %s, and keeps the credentials',
    async (way) => {
      const { session, totpSecret, answer } = await signInBy(way);
      const links = () =>
        backend.db
          .selectFrom('auth.provider_accounts')
          .select('provider')
          .where('user_id', '=', session.user.id)
          .execute();
      const tokens = () =>
        backend.request('/v1/auth/signin/provider/google/callback/tokens', {
          headers: bearer(session),
        });
      const before = await userRow(session.user.id);
      expect(before).toMatchObject({ active_mfa_type: 'totp', password_hash: expect.any(String) });
      expect(await links()).toEqual([]);
      expect((await tokens()).status).toBe(400);
      await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
      expect(await links()).toEqual([{ provider: 'google' }]);
      expect((await tokens()).status).toBe(way === 'provider' ? 200 : 400);
    },
  );

  it('is dropped with a wrong code', async () => {
    const { email, session, totpSecret, answer } = await signInBy('emailConfirmChange');
    await users.signInMfa(ticketOf(answer), users.wrongCodeOf(totpSecret));
    const { body } = await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
    expect(body).toMatchObject({ error: 'invalid-ticket' });
    expect(await userRow(session.user.id)).toMatchObject({ email });
  });

  it('is not continued with the code of another account', async () => {
    const { email, session, before, answer } = await signInBy('emailConfirmChange');
    const eve = await users.newUserWithRecoveryCodes();
    const { body } = await users.signInMfa(ticketOf(answer), eve.recoveryCode);
    expect(body).toMatchObject({ error: 'invalid-totp' });
    expect(await userRow(session.user.id)).toMatchObject({ email });
    expect(await sessionIds(session.user.id)).toEqual(before);
  });

  it('records how the sign-in started', async () => {
    const { session, totpSecret, answer } = await signInBy('passwordlessEmail');
    await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
    const { kind, details } = await backend.db
      .selectFrom('auth.events')
      .select(['kind', 'details'])
      .where('user_id', '=', session.user.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect({ kind, details }).toEqual({ kind: 'signed-in', details: { by: 'passwordlessEmail' } });
  });
});

describe('a mailed link to an account with a second factor', () => {
  it('works again after a wrong code, and stops working with a right one', async () => {
    const { totpSecret, answer, request } = await signInBy('passwordlessEmail');
    await users.signInMfa(ticketOf(answer), users.wrongCodeOf(totpSecret));
    const retry = await request();
    const { status } = await users.signInMfa(ticketOf(retry), users.codeOf(totpSecret));
    expect(status).toBe(200);
    expect(await request()).toMatchObject({ error: 'invalid-ticket' });
  });

  it('has one valid ticket at a time', async () => {
    const { totpSecret, answer, request } = await signInBy('passwordlessEmail');
    await request();
    const { body } = await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
    expect(body).toMatchObject({ error: 'invalid-ticket' });
  });

  it('yields no code for a client with a code challenge', async () => {
    const { email } = await users.newUserWithMfa();
    const codeChallenge = newCodePair().challenge;
    await ways.post('/signin/passwordless/email', { email, codeChallenge });
    expect(await ways.followMail(email)).toEqual({
      error: 'mfa-required',
      errorDescription: expect.any(String),
      ticket: expect.stringMatching(TICKET),
    });
  });

  it('keeps the parameters of the page that it leads to', async () => {
    const { email } = await users.newUserWithMfa();
    const redirectTo = 'http://localhost:1337/dashboard/apps?tab=logs';
    await ways.post('/signin/passwordless/email', { email, options: { redirectTo } });
    const { address, parameters } = await follow(backend, linkFor(backend, email));
    expect(address).toBe('http://localhost:1337/dashboard/apps');
    expect(parameters).toMatchObject({ tab: 'logs', error: 'mfa-required' });
  });
});

describe('resetting the password of an account with a second factor', () => {
  const signInWith = (email: string, password: string) =>
    ways.post('/signin/email-password', { email, password });

  it('requires the code', async () => {
    const { email, totpSecret } = await users.newUserWithMfa();
    await ways.post('/user/password/reset', { email });
    const resetTicket = linkFor(backend, email).searchParams.get('ticket');
    const newPassword = 'a new password';
    expect(await ways.post('/user/password', { newPassword, ticket: resetTicket })).toMatchObject({
      status: 403,
      error: 'mfa-required',
    });
    expect(await signInWith(email, newPassword)).toMatchObject({ error: 'invalid-email-password' });

    const ticket = ticketOf(await ways.followMail(email));
    expect(await ways.post('/user/password', { newPassword, ticket })).toMatchObject({
      error: 'invalid-ticket',
    });
    const { session } = (
      await users.signInMfa(ticketOf(await ways.followMail(email)), users.codeOf(totpSecret))
    ).body;
    expect(await ways.post('/user/password', { newPassword }, session)).toBe('OK');
    expect(await signInWith(email, newPassword)).toHaveProperty('mfa');
  });
});

describe('turning the second factor on', () => {
  it('ends the other sessions, except those of personal access tokens', async () => {
    const { email, session } = await users.newUser();
    const { session: other } = await users.signIn(email);
    const signInByPat = await ways.scenarios['personal-access-token']({ email, session });
    const { session: script } = (await signInByPat()) as { session: Session };
    await users.activate(session);
    const refresh = async ({ refreshToken }: Session) =>
      (await backend.post('/v1/auth/token', { refreshToken })).status;
    expect(await Promise.all([session, other, script].map(refresh))).toEqual([200, 401, 200]);
  });

  it('stops a sign-in whose session is about to open', async () => {
    const { session } = await users.newUser();
    const user = await userRow(session.user.id);
    const opening = await backend.db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('auth.users')
        .set({ active_mfa_type: 'totp' })
        .where('id', '=', user.id)
        .execute();
      const refreshToken = createRefreshTokens(backend.db, new Secret('a key')).issue({
        user,
        client: { address: undefined, userAgent: undefined, isProxied: false },
        provedBy: 'password',
        provedAt: new Date(),
      });
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and query like '%refresh_tokens%for share%'`.execute(backend.db);
        expect(rows).toHaveLength(1);
      }, 30_000);
      return { refreshToken };
    });
    expect(await opening.refreshToken).toBeUndefined();
    expect(await sessionIds(user.id)).toEqual([session.refreshTokenId]);
  });

  it('lets no simultaneous sign-in through', async () => {
    const { email, session } = await users.newUser();
    const { totpSecret } = (await users.generate(session)).body;
    const code = users.codeOf(totpSecret);
    const [, ...answers] = await Promise.all([
      users.change(session, { code, activeMfaType: 'totp' }),
      ...Array.from({ length: 6 }, () => users.signIn(email)),
    ]);
    const opened = answers.flatMap((answer) => answer.session ?? []);
    for (const { refreshToken } of opened) {
      expect((await backend.post('/v1/auth/token', { refreshToken })).status).toBe(401);
    }
    expect(await sessionIds(session.user.id)).toHaveLength(1);
  });
});

describe('an anonymous user with a second factor', () => {
  it('gets a ticket after signing up', async () => {
    const { session: owner, totpSecret } = await users.newUserWithMfa();
    const { session } = (await ways.post('/signin/anonymous', {})) as { session: Session };
    const { totp_secret } = await userRow(owner.user.id);
    await backend.db
      .updateTable('auth.users')
      .set({ totp_secret, active_mfa_type: 'totp' })
      .where('id', '=', session.user.id)
      .execute();
    const email = 'upgraded@example.com';
    const body = { signInMethod: 'email-password', email, password: PASSWORD };
    const answer = await ways.post('/user/deanonymize', body, session);
    expect(answer).toEqual({ mfa: { ticket: expect.stringMatching(TICKET) } });
    expect(await sessionIds(session.user.id)).toEqual([]);
    const { status } = await users.signInMfa(ticketOf(answer), users.codeOf(totpSecret));
    expect(status).toBe(200);
  });
});

describe('a provider account with the unverified address of an account', () => {
  it('does not remove the second factor', async () => {
    const { email, session } = await users.newUserWithMfa();
    ways.signInAtGoogle(email);
    const end = await createBrowser(backend).followRedirects('/v1/auth/signin/provider/google');
    expect(end.searchParams.get('error')).toBe('mfa-required');
    expect(await userRow(session.user.id)).toMatchObject({ active_mfa_type: 'totp' });
    expect(await users.signIn(email)).toHaveProperty('mfa');
  });
});
