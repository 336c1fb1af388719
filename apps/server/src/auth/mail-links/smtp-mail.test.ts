import type { Session } from '@longshore/contract';
import { expect, it, onTestFinished, vi } from 'vitest';
import { follow } from '../../../test/auth/mail-links.ts';
import { startBackend } from '../../../test/backend.ts';
import { startSmtpServer, textOf } from '../../../test/smtp-server.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { createSmtpMailer } from '../../mail/smtp-mailer.ts';
import { Secret } from '../../secrets/secret.ts';

const email = 'ada@example.com';
const password = 'correct horse';

async function start(mailer: Mailer, requireVerifiedEmail: boolean) {
  const backend = await startBackend({ mailer, settings: { requireVerifiedEmail } });
  onTestFinished(backend.stop);
  return backend;
}

it('sends a working sign-up link through a mail server', async () => {
  const server = await startSmtpServer();
  onTestFinished(server.stop);
  const url = new Secret(`smtp://127.0.0.1:${server.port}`);
  const backend = await start(createSmtpMailer({ url, from: 'longshore@example.com' }), true);
  const options = { redirectTo: 'http://localhost:1337/dashboard' };
  await backend.post('/v1/auth/signup/email-password', { email, password, options });
  expect(server.received).toMatchObject([{ to: [email] }]);

  const link = textOf(server.received[0]?.content ?? '').match(/^http\S+$/m)?.[0] ?? '';
  const { address, parameters } = await follow(backend, new URL(link));
  expect(address).toBe('http://localhost:1337/dashboard');
  const { body } = await backend.post<Session>('/v1/auth/token', parameters);
  expect(body.user).toMatchObject({ email, emailVerified: true });
  expect(backend.errors).toEqual([]);
});

it('reports a failure of the mail server for a verification mail, but not for a password reset', async () => {
  const failure = new Error('The mail server is down');
  const backend = await start({ send: () => Promise.reject(failure) }, false);
  await backend.signUp(email);
  const verification = await backend.post('/v1/auth/user/email/send-verification-email', { email });
  expect(verification.body).toEqual({
    status: 500,
    error: 'internal-server-error',
    message: 'Internal server error',
  });
  const reset = await backend.post('/v1/auth/user/password/reset', { email });
  expect(reset).toMatchObject({ status: 200, body: 'OK' });
  await vi.waitFor(() => expect(backend.errors).toEqual([failure, failure]));
});
