import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditedKinds, follow, linkFor } from '../../../test/auth/mail-links.ts';
import { type Backend, startBackend } from '../../../test/backend.ts';

const PATH = '/v1/auth/user/email/send-verification-email';
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

it('mails a link that verifies the address', async () => {
  const { user } = await backend.signUp('ada@example.com');
  const { status, body } = await backend.post(PATH, { email: 'ADA@example.com ', options: null });
  expect({ status, body }).toEqual({ status: 200, body: 'OK' });
  expect(backend.mails).toMatchObject([{ to: 'ada@example.com', purpose: 'verify-email' }]);
  await follow(backend, linkFor(backend, 'ada@example.com'));
  const again = await backend.post(PATH, { email: 'ada@example.com' });
  expect(again.body).toEqual({
    status: 400,
    error: 'email-already-verified',
    message: "User's email is already verified",
  });
  expect(await auditedKinds(backend, user.id)).toEqual(
    expect.arrayContaining(['verification-mail-asked', 'email-verified']),
  );
});

it('ignores an invalid bearer token, as every public endpoint does', async () => {
  await backend.signUp('bearer@example.com');
  const headers = { authorization: 'Bearer nonsense' };
  expect(await backend.post(PATH, { email: 'bearer@example.com' }, headers)).toMatchObject({
    status: 200,
  });
});

it('reports an unknown address', async () => {
  const { body } = await backend.post(PATH, { email: 'nobody@example.com' });
  expect(body).toMatchObject({ status: 401, error: 'invalid-email-password' });
});

it('reports a disabled user', async () => {
  const { user } = await backend.signUp('off@example.com');
  await backend.db
    .updateTable('auth.users')
    .set({ disabled: true })
    .where('id', '=', user.id)
    .execute();
  const { body } = await backend.post(PATH, { email: 'off@example.com' });
  expect(body).toMatchObject({ status: 401, error: 'disabled-user' });
  expect(backend.mails.filter(({ to }) => to === 'off@example.com')).toEqual([]);
});
