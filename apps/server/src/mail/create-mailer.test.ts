import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMailer } from './create-mailer.ts';
import type { Mail } from './mailer.ts';

const mail: Mail = {
  to: 'ada@example.com',
  purpose: 'sign-in-link',
  displayName: 'Ada',
  locale: 'en',
  link: 'http://localhost:1337/v1/auth/verify?ticket=passwordlessEmail%3A1',
};
let root: string;
let folder: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longshore-mail-'));
  folder = join(root, 'outbox');
  lines = [];
});
afterEach(() => rm(root, { recursive: true }));

function outboxMailer() {
  return createMailer({
    config: { smtpUrl: undefined, mailFrom: 'Longshore <longshore@localhost>' },
    folder,
    clock: { now: () => Date.UTC(2026, 10, 15) },
    print: (line) => void lines.push(line),
  });
}

it('writes each mail to an .eml file that only the owner can read', async () => {
  const mailer = outboxMailer();
  await mailer.send(mail);
  await mailer.send(mail);
  const names = await readdir(folder);
  expect(names).toHaveLength(2);
  for (const name of names)
    expect(name).toMatch(/^2026-11-15T00-00-00\.000Z-sign-in-link-[0-9a-f]{8}\.eml$/);
  const path = join(folder, names[0] ?? '');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const content = await readFile(path, 'utf8');
  expect(content).toContain('To: ada@example.com');
  expect(content).toContain('From: Longshore <longshore@localhost>');
  expect(content).toContain('Subject: Your sign-in link');
});

it('prints the recipient and the link in one line', async () => {
  await outboxMailer().send(mail);
  expect(lines).toEqual([`Mail for ada@example.com (sign-in-link): ${mail.link}`]);
});

it('prints the code of a mail with a code', async () => {
  const { link: _, ...rest } = mail;
  await outboxMailer().send({ ...rest, purpose: 'sign-in-code', code: '123456' });
  expect(lines).toEqual(['Mail for ada@example.com (sign-in-code): 123456']);
});

it('strips control characters from the printed line and does not put the address in a file name', async () => {
  await outboxMailer().send({ ...mail, to: '../../\u001b[2J\n@example.com' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('\u001b');
  expect(lines[0]).not.toContain('\n');
  expect(await readdir(root)).toEqual(['outbox']);
});
