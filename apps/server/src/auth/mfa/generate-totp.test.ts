import type { Session } from '@longshore/contract';
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

describe('GET /mfa/totp/generate', () => {
  it('returns a secret and its QR code, 200 pixels wide and high', async () => {
    const { session } = await users.newUser();
    const { status, body } = await users.generate(session);
    expect(status).toBe(200);
    expect(body.totpSecret).toMatch(/^[A-Z2-7]{52}$/);
    const [head, image] = body.imageUrl.split(',');
    expect(head).toBe('data:image/png;base64');
    const png = Buffer.from(image ?? '', 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([200, 200]);
  });

  it('stores the secret encrypted, and does not require codes yet', async () => {
    const { email, session } = await users.newUser();
    const { totpSecret } = (await users.generate(session)).body;
    const row = await backend.db
      .selectFrom('auth.users')
      .select(['totp_secret', 'active_mfa_type'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(row.totp_secret).not.toContain(totpSecret);
    expect(row.active_mfa_type).toBeNull();
    expect((await users.signIn(email)).session).toBeDefined();
  });

  it('does not replace an active secret', async () => {
    const { email, session, totpSecret } = await users.newUserWithMfa();
    expect((await users.generate(session)).body).toMatchObject({ error: 'totp-already-active' });
    const { ticket } = (await users.signIn(email)).mfa;
    expect((await users.signInMfa(ticket, users.codeOf(totpSecret))).status).toBe(200);
  });

  it.each([
    ['an unauthenticated caller', () => ({}), 401, 'unauthorized'],
    ['an anonymous user', anonymous, 403, 'forbidden-anonymous'],
  ])('refuses %s', async (_, headersOf, status, error) => {
    const headers = await headersOf();
    const response = await backend.request('/v1/auth/mfa/totp/generate', { headers });
    expect(response.body).toMatchObject({ status, error });
  });
});

async function anonymous(): Promise<Record<string, string>> {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  return bearer(body.session);
}
