import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import {
  type Backend,
  type BackendOptions,
  startBackend,
  stopWithoutErrors,
} from '../../../test/backend.ts';
import { createTestDatabase } from '../../../test/db/test-database.ts';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { Secret } from '../../secrets/secret.ts';
import type { AuthProblem } from '../auth-problem.ts';
import { firstAccountNeedsCode } from './sign-up-policy.ts';

const PATH = '/v1/auth/signup/email-password';
const WRONG = '2222-2222-2222';
const password = 'correct horse';

const started: Backend[] = [];
afterEach(async () => {
  for (const backend of started.splice(0)) await stopWithoutErrors(backend);
});

async function start(options: BackendOptions = {}): Promise<Backend> {
  const backend = await startBackend({ isExposed: true, ...options });
  started.push(backend);
  return backend;
}

const codeOf = ({ auth }: Backend) => auth.setupCode?.reveal();

async function signUp(backend: Backend, email: string, setupCode?: string | null) {
  const { status, body } = await backend.post(PATH, { email, password, setupCode });
  return { status, error: body.error };
}

async function addSomebody(db: Database): Promise<void> {
  const email = `${randomUUID()}@example.com`;
  await db
    .insertInto('auth.users')
    .values({ email, password_hash: null, display_name: email, avatar_url: '' })
    .execute();
}

async function waitingForLocks(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length;
}

it('takes the code once, written in any case, and no other', async () => {
  const backend = await start();
  const code = codeOf(backend) ?? '';
  const refused = { status: 403, error: 'setup-code-required' };
  for (const none of [undefined, null, '', '  '])
    expect(await signUp(backend, 'ada@example.com', none)).toEqual(refused);
  const wrong = { status: 403, error: 'invalid-setup-code' };
  expect(await signUp(backend, 'ada@example.com', WRONG)).toEqual(wrong);
  expect(await backend.auth.needsSetupCode()).toBe(true);

  const first = await signUp(backend, 'ada@example.com', code.toLowerCase().replaceAll('-', ' '));
  expect(first).toEqual({ status: 200, error: undefined });
  expect(await backend.auth.needsSetupCode()).toBe(false);
});

it('is void once there is an account, and tells who brings it that somebody was first', async () => {
  const backend = await start();
  await signUp(backend, 'ada@example.com', codeOf(backend));
  const used = { status: 409, error: 'setup-code-used' };
  expect(await signUp(backend, 'eve@example.com', codeOf(backend))).toEqual(used);
  // Nobody can try out, either, what the code was.
  expect(await signUp(backend, 'eve@example.com', WRONG)).toEqual(used);
  expect(await signUp(backend, 'bob@example.com')).toEqual({ status: 200, error: undefined });
});

it('makes one of many who bring the code at once the first, and refuses the others', async () => {
  const backend = await start();
  const people = Array.from({ length: 12 }, (_, at) => `person-${at}@example.com`);
  const answers = await Promise.all(people.map((it) => signUp(backend, it, codeOf(backend))));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(people.length - 1).fill(409)]);
  const users = await backend.db.selectFrom('auth.users').select('email').execute();
  expect(users).toEqual([{ email: people[answers.findIndex(({ status }) => status === 200)] }]);
});

it('keeps who brings the code a moment later waiting, and then refuses them', async () => {
  const { db } = await start();
  const code = new Secret('2345-6789-ABCD');
  const signUpPolicy = firstAccountNeedsCode(code);
  let second: Promise<unknown> = Promise.resolve();
  await signUpPolicy.admit(db, code, async (transaction) => {
    second = signUpPolicy.admit(db, code, addSomebody).then(
      () => 'admitted',
      ({ code }: AuthProblem) => code,
    );
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    await addSomebody(transaction);
  });
  expect(await second).toBe('setup-code-used');
});

it('stays good when the account it was for came to nothing', async () => {
  let isMailDown = true;
  const backend = await start({
    settings: { requireVerifiedEmail: true },
    mailer: {
      async send() {
        if (isMailDown) throw new Error('no mail today');
      },
    },
  });
  expect((await signUp(backend, 'ada@example.com', codeOf(backend))).status).toBe(500);
  expect(backend.errors.splice(0)).toHaveLength(1);
  expect(await backend.auth.needsSetupCode()).toBe(true);
  expect((await signUp(backend, 'eve@example.com')).error).toBe('setup-code-required');
  isMailDown = false;
  expect((await signUp(backend, 'ada@example.com', codeOf(backend))).status).toBe(200);
  expect(await backend.auth.needsSetupCode()).toBe(false);
});

it('is made anew at each start until there is an account, and not at all after', async () => {
  const database = await createTestDatabase(migrate);
  const kept = { ...database, drop: async () => {} };
  const before = await start({ database: kept });
  const now = await start({ database: kept });
  expect(codeOf(now)).not.toBe(codeOf(before));
  expect((await signUp(now, 'ada@example.com', codeOf(before))).error).toBe('invalid-setup-code');
  expect((await signUp(now, 'ada@example.com', codeOf(now))).status).toBe(200);

  const later = await start({ database });
  expect(later.auth.setupCode).toBeUndefined();
  expect(await later.auth.needsSetupCode()).toBe(false);
  expect((await signUp(later, 'bob@example.com')).status).toBe(200);
});

it('lets nobody guess on and on', async () => {
  const backend = await start({ settings: { rateLimits: true } });
  for (let guess = 0; guess < 10; guess += 1)
    expect((await signUp(backend, 'ada@example.com', WRONG)).status).toBe(403);
  expect((await signUp(backend, 'ada@example.com', codeOf(backend))).status).toBe(429);
});

it('is not asked for where nobody else can come first', async () => {
  const backend = await start({ isExposed: false });
  expect(backend.auth.setupCode).toBeUndefined();
  expect(await backend.auth.needsSetupCode()).toBe(false);
  // A field that nobody asked for is passed over, as any other.
  expect((await signUp(backend, 'ada@example.com', WRONG)).status).toBe(200);
});
