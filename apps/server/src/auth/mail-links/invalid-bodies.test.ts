import { AUTH_PATHS } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../../test/backend.ts';

let backend: Backend;
let headers: Record<string, string>;
beforeAll(async () => {
  backend = await startBackend();
  headers = bearer(await backend.signUp('ada@example.com'));
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const FIELDS = ['email', 'newEmail', 'newPassword', 'password'];
const VALUES = [
  null,
  7,
  true,
  [],
  ['ada@example.com'],
  {},
  '',
  ' ',
  'a\u0000b@example.com',
  '\ud800',
  `${'x'.repeat(100_000)}@example.com`,
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com, eve@example.com',
];
const BODIES = [
  'not json',
  '[]',
  'null',
  '"text"',
  '{',
  ...VALUES.map((value) =>
    JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value]))),
  ),
  ...[7, [], 'text', { redirectTo: {} }, { redirectTo: ['http://localhost:1337'] }].map((options) =>
    JSON.stringify({ email: 'ada@example.com', newEmail: 'eve@example.com', options }),
  ),
];

async function stored() {
  const { db } = backend;
  return {
    users: await db.selectFrom('auth.users').selectAll().execute(),
    tickets: await db.selectFrom('auth.tickets').selectAll().execute(),
  };
}

describe.each([
  AUTH_PATHS.signInPasswordlessEmail,
  AUTH_PATHS.sendVerificationEmail,
  AUTH_PATHS.resetPassword,
  AUTH_PATHS.changeEmail,
])('POST %s', (path) => {
  it('responds to every invalid body with 4xx and JSON, and stores nothing', async () => {
    const before = await stored();
    for (const body of BODIES) {
      const { status, body: response } = await backend.post(`/v1/auth${path}`, body, headers);
      expect({ body: body.slice(0, 80), status, response }).toEqual({
        body: body.slice(0, 80),
        status: 400,
        response: { status: 400, error: expect.any(String), message: expect.any(String) },
      });
    }
    expect(await stored()).toEqual(before);
    expect(backend.mails).toEqual([]);
  });
});
