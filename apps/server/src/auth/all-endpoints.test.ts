import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));

/** Every endpoint of the wire protocol, numbered, with the status of the response to an empty request. */
const ROWS: [row: number, method: string, path: string, status: number][] = [
  [1, 'POST', '/signup/email-password', 400],
  [2, 'POST', '/signin/email-password', 400],
  [3, 'POST', '/signin/mfa/totp', 400],
  [4, 'POST', '/signin/anonymous', 200],
  [5, 'POST', '/signin/pat', 400],
  [6, 'POST', '/signin/idtoken', 400],
  [7, 'POST', '/signin/passwordless/email', 400],
  [8, 'POST', '/signin/passwordless/sms', 400],
  [9, 'POST', '/signin/passwordless/sms/otp', 400],
  [10, 'POST', '/signin/otp/email', 400],
  [11, 'POST', '/signin/otp/email/verify', 400],
  [12, 'POST', '/signin/webauthn', 200],
  [13, 'POST', '/signin/webauthn/verify', 400],
  [14, 'GET', '/signin/provider/github', 302],
  [15, 'GET', '/signin/provider/github/callback', 302],
  [15, 'POST', '/signin/provider/github/callback', 303],
  [16, 'GET', '/signin/provider/github/callback/tokens', 401],
  [17, 'POST', '/signup/webauthn', 400],
  [18, 'POST', '/signup/webauthn/verify', 400],
  [19, 'POST', '/token', 401],
  [20, 'POST', '/signout', 400],
  [21, 'POST', '/user/deanonymize', 401],
  [22, 'POST', '/user/email/change', 401],
  [23, 'POST', '/user/password', 400],
  [24, 'POST', '/user/password/reset', 400],
  [25, 'POST', '/user/email/send-verification-email', 400],
  [26, 'GET', '/user', 401],
  [27, 'POST', '/user/webauthn/add', 401],
  [28, 'POST', '/user/webauthn/verify', 401],
  [29, 'POST', '/elevate/webauthn', 401],
  [30, 'POST', '/elevate/webauthn/verify', 401],
  [31, 'POST', '/link/idtoken', 401],
  [32, 'POST', '/pat', 401],
  [33, 'GET', '/mfa/totp/generate', 401],
  [34, 'POST', '/user/mfa', 401],
  [35, 'GET', '/verify', 400],
  [36, 'POST', '/token/verify', 400],
  [37, 'GET', '/healthz', 200],
  [37, 'HEAD', '/healthz', 200],
  [38, 'GET', '/version', 200],
  [39, 'GET', '/.well-known/jwks.json', 200],
  [40, 'POST', '/token/exchange', 400],
  [41, 'POST', '/token/provider/github', 401],
  [42, 'POST', '/signup/passwordless/email', 400],
  [42, 'POST', '/signup/otp/email', 400],
  [42, 'POST', '/signup/passwordless/sms', 400],
  [42, 'POST', '/signup/idtoken', 400],
  [42, 'GET', '/signup/provider/github', 302],
];

/** Our own endpoints, for the security page of the console. */
const OWN_ROWS: typeof ROWS = [
  [101, 'GET', '/mfa/recovery-codes', 401],
  [102, 'POST', '/mfa/recovery-codes/generate', 401],
  [103, 'GET', '/sessions', 401],
  [104, 'DELETE', '/sessions/1', 401],
  [105, 'GET', '/events', 401],
  [106, 'GET', '/personal-access-tokens', 401],
  [107, 'DELETE', '/personal-access-tokens/1', 401],
  [108, 'GET', '/user/security-keys', 401],
  [109, 'DELETE', '/user/security-keys/1', 401],
  [110, 'GET', '/elevate', 401],
  [111, 'POST', '/elevate/password', 401],
  [112, 'POST', '/elevate/totp', 401],
  [113, 'POST', '/elevate/otp/email', 401],
  [114, 'POST', '/elevate/otp/email/verify', 401],
];

const ALL_ROWS = [...ROWS, ...OWN_ROWS];

it('covers every path', () => {
  const covered = ALL_ROWS.map(([, , path]) => path);
  const paths = Object.values(AUTH_PATHS).map((path) =>
    path.replace(':provider', 'github').replace(':id', '1'),
  );
  expect(new Set(covered)).toEqual(new Set(paths));
});

describe.each(SERVICE_PATHS.auth)('under %s', (base) => {
  it.each(ALL_ROWS)(
    'row %i, %s %s, responds to an empty request with %i',
    async (_, method, path, status) => {
      const response = await backend.app.request(`${base}${path}`, {
        method,
        // nhost-js 3 sends this header even without a body.
        headers: { 'content-type': 'application/json', accept: '*/*' },
      });
      expect(response.status).toBe(status);
      if (status < 400) return;
      const body = { status, error: expect.any(String), message: expect.any(String) };
      expect(await response.json()).toEqual(body);
    },
  );

  // nhost-js 4 sends its token, valid or not, with every request.
  it.each(ALL_ROWS)(
    'row %i, %s %s, responds to an invalid bearer token with the same status: %i',
    async (_, method, path, status) => {
      const headers = { authorization: 'Bearer invalid.token.value' };
      expect((await backend.app.request(`${base}${path}`, { method, headers })).status).toBe(
        status,
      );
    },
  );
});

it('serves the health path without a prefix too', async () => {
  expect((await backend.request('/healthz')).body).toEqual({ status: 'ok' });
  expect((await backend.request('/healthz', { method: 'HEAD' })).status).toBe(200);
});

it('is ready while the database answers', async () => {
  const { status, body } = await backend.request('/readyz');
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
});

describe('unknown and null fields of nhost-js 3', () => {
  it('are ignored', async () => {
    const email = 'three@example.com';
    const body = { email, password: 'correct horse', options: null, codeChallenge: null, extra: 1 };
    const { status } = await backend.post('/v1/auth/signup/email-password', body);
    expect(status).toBe(200);
    const session = await backend.signUp();
    const change = { newPassword: 'another horse', ticket: null };
    expect((await backend.post('/v1/auth/user/password', change, bearer(session))).status).toBe(
      200,
    );
    const signOutBody = { refreshToken: null, all: true };
    expect((await backend.post('/v1/auth/signout', signOutBody, bearer(session))).status).toBe(200);
  });
});

it('exposes the retry-after header to pages on localhost', async () => {
  const origin = 'http://localhost:3000';
  const { headers } = await backend.request('/v1/auth/version', { headers: { origin } });
  expect(headers.get('access-control-expose-headers')?.split(',')).toContain('Retry-After');
});
