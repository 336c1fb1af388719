import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { startSmtpServer } from '../../test/smtp-server.ts';
import { Secret } from '../secrets/secret.ts';
import type { Mail } from './mailer.ts';
import { createSmtpMailer, MailFailure } from './smtp-mailer.ts';

const mail: Mail = {
  to: 'ada@example.com',
  purpose: 'reset-password',
  displayName: 'Ada <Lovelace>',
  locale: 'en',
  link: 'http://localhost:1337/v1/auth/verify?ticket=passwordReset%3A1&redirectTo=x',
};
const from = 'Longshore <longshore@example.com>';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function startSmtp(options: SMTPServerOptions = {}) {
  const server = await startSmtpServer(options);
  closers.push(server.stop);
  return server;
}

async function startSilentServer(): Promise<number> {
  const server = createServer((socket) => closers.push(() => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

it('sends a mail as HTML and plain text', async () => {
  const { received, port } = await startSmtp();
  await createSmtpMailer({ url: new Secret(`smtp://127.0.0.1:${port}`), from }).send(mail);
  expect(received).toMatchObject([{ from: 'longshore@example.com', to: ['ada@example.com'] }]);
  const content = received[0]?.content ?? '';
  expect(content).toContain('Subject: Reset your password');
  expect(content).toContain('Auto-Submitted: auto-generated');
  expect(content).toContain('multipart/alternative');
  expect(content).toContain('text/plain');
  expect(content).toContain('text/html');
  expect(content).toContain('Ada &lt;Lovelace&gt;');
});

it('signs in at the mail server with the credentials of the URL', async () => {
  const { received, port } = await startSmtp({
    authOptional: false,
    onAuth: ({ username, password }, _, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('no')),
  });
  const url = new Secret(`smtp://longshore:p%40ss@127.0.0.1:${port}`);
  await createSmtpMailer({ url, from }).send(mail);
  expect(received).toMatchObject([{ user: 'longshore' }]);
});

it('rejects without secrets in the error when the mail server refuses the credentials', async () => {
  const { received, port } = await startSmtp({
    authOptional: false,
    onAuth: (_, __, done) => done(new Error('Invalid credentials')),
  });
  const url = new Secret(`smtp://longshore:hunter2@127.0.0.1:${port}`);
  const failure = await createSmtpMailer({ url, from })
    .send(mail)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailFailure);
  expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/hunter2|passwordReset/);
  expect(received).toEqual([]);
});

it('rejects when the mail server refuses the recipient', async () => {
  const { port } = await startSmtp({ onRcptTo: (_, __, done) => done(new Error('Unknown')) });
  const mailer = createSmtpMailer({ url: new Secret(`smtp://127.0.0.1:${port}`), from });
  await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailFailure);
});

it.each([
  ['greeting', { greetingMs: 20 }],
  ['total', { totalMs: 20 }],
])('gives up on a silent mail server after the %s timeout', async (_, timeouts) => {
  const url = new Secret(`smtp://127.0.0.1:${await startSilentServer()}`);
  const mailer = createSmtpMailer({ url, from, timeouts });
  await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailFailure);
});
