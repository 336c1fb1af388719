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
let home: string;
let folder: string;
let lines: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longshore-mail-'));
  folder = join(home, 'outbox');
  lines = [];
});
afterEach(() => rm(home, { recursive: true }));

function outboxMailer() {
  return createMailer({
    config: { smtpUrl: undefined, mailFrom: 'Longshore <longshore@localhost>' },
    folder,
    clock: { now: () => Date.UTC(2026, 10, 15) },
    print: (line) => void lines.push(line),
  });
}

it('keeps each mail as a file that mail programs open, for its owner alone', async () => {
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
  expect(content).toContain('Subject: Your link to sign in');
});

it('prints the link, and nothing else of the mail, in one line', async () => {
  await outboxMailer().send(mail);
  expect(lines).toEqual([`Mail for ada@example.com (sign-in-link): ${mail.link}`]);
});

it('prints the code when the mail holds one', async () => {
  const { link: _, ...rest } = mail;
  await outboxMailer().send({ ...rest, purpose: 'sign-in-code', code: '123456' });
  expect(lines).toEqual(['Mail for ada@example.com (sign-in-code): 123456']);
});

it('lets no address move the cursor of the terminal or name a file', async () => {
  await outboxMailer().send({ ...mail, to: '../../\u001b[2J\n@example.com' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('\u001b');
  expect(lines[0]).not.toContain('\n');
  expect(await readdir(home)).toEqual(['outbox']);
});
