import type { Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { hasAccounts, isOperator } from './accounts.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend({ settings: { anonymousSignIn: true } });
});
afterAll(() => stopWithoutErrors(backend));

async function signInAnonymously(): Promise<Session> {
  const { body } = await backend.post<{ session: Session }>('/v1/auth/signin/anonymous', '');
  return body.session;
}

it('does not count anonymous users, not even those who register after the first account', async () => {
  const { db } = backend;
  const visitor = await signInAnonymously();
  expect(await hasAccounts(db)).toBe(false);
  expect(await isOperator(db, visitor.user.id)).toBe(false);

  const operator = await backend.signUp();
  expect(await hasAccounts(db)).toBe(true);
  expect(await isOperator(db, operator.user.id)).toBe(true);

  const body = { signInMethod: 'email-password', email: 'eve@example.com', password: 'a secret' };
  const { status } = await backend.post('/v1/auth/user/deanonymize', body, bearer(visitor));
  expect(status).toBe(200);
  expect(await isOperator(db, visitor.user.id)).toBe(false);
  expect(await isOperator(db, operator.user.id)).toBe(true);
  expect(await isOperator(db, (await backend.signUp()).user.id)).toBe(false);
});
