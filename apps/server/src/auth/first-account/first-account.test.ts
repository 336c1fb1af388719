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
import { createSignUpPolicy } from '../sign-up/sign-up-policy.ts';
import { createSignUpSettings } from '../sign-up/sign-up-settings.ts';

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

async function insertUser(db: Database): Promise<{ id: string }> {
  const email = `${randomUUID()}@example.com`;
  return await db
    .insertInto('auth.users')
    .values({ email, password_hash: null, display_name: email, avatar_url: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
}

async function waitingForLocks(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length;
}

it('accepts the setup code once, ignoring case, and refuses other codes', async () => {
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

it('reports a used code once there is an account', async () => {
  const backend = await start();
  await signUp(backend, 'ada@example.com', codeOf(backend));
  const used = { status: 409, error: 'setup-code-used' };
  expect(await signUp(backend, 'eve@example.com', codeOf(backend))).toEqual(used);
  // The response does not reveal whether the code was right.
  expect(await signUp(backend, 'eve@example.com', WRONG)).toEqual(used);
  expect(await signUp(backend, 'bob@example.com')).toEqual({ status: 200, error: undefined });
});

it('lets one of many simultaneous sign-ups with the code succeed', async () => {
  const backend = await start();
  const emails = Array.from({ length: 12 }, (_, at) => `person-${at}@example.com`);
  const responses = await Promise.all(emails.map((it) => signUp(backend, it, codeOf(backend))));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(emails.length - 1).fill(409)]);
  const users = await backend.db.selectFrom('auth.users').select('email').execute();
  expect(users).toEqual([{ email: emails[responses.findIndex(({ status }) => status === 200)] }]);
});

it('blocks a second sign-up with the code until the first is done, then refuses it', async () => {
  const { db } = await start();
  const setupCode = new Secret('2345-6789-ABCD');
  const policy = createSignUpPolicy({ setupCode, settings: createSignUpSettings(undefined) });
  const request = { email: 'ada@example.com', setupCode };
  let second: Promise<unknown> = Promise.resolve();
  await policy.createUser(db, request, async (transaction) => {
    second = policy.createUser(db, request, insertUser).then(
      () => 'created',
      ({ code }: AuthProblem) => code,
    );
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    return await insertUser(transaction);
  });
  expect(await second).toBe('setup-code-used');
});

it('keeps the code valid when the sign-up was rolled back', async () => {
  let isMailDown = true;
  const backend = await start({
    settings: { requireVerifiedEmail: true },
    mailer: {
      async send() {
        if (isMailDown) throw new Error('The mail server is down');
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

it('generates a new code at each start until there is an account', async () => {
  const database = await createTestDatabase(migrate);
  const persistent = { ...database, drop: async () => {} };
  const before = await start({ database: persistent });
  const now = await start({ database: persistent });
  expect(codeOf(now)).not.toBe(codeOf(before));
  expect((await signUp(now, 'ada@example.com', codeOf(before))).error).toBe('invalid-setup-code');
  expect((await signUp(now, 'ada@example.com', codeOf(now))).status).toBe(200);

  const later = await start({ database });
  expect(later.auth.setupCode).toBeUndefined();
  expect(await later.auth.needsSetupCode()).toBe(false);
  expect((await signUp(later, 'bob@example.com')).status).toBe(200);
});

it('accepts the code after many wrong ones from the same address: it is too long to be guessed', async () => {
  const backend = await start({ settings: { rateLimits: true } });
  for (let guess = 0; guess < 310; guess += 1)
    expect((await signUp(backend, 'ada@example.com', WRONG)).status).toBe(403);
  expect((await signUp(backend, 'ada@example.com', codeOf(backend))).status).toBe(200);
});

it('needs no code on a server that is not exposed', async () => {
  const backend = await start({ isExposed: false });
  expect(backend.auth.setupCode).toBeUndefined();
  expect(await backend.auth.needsSetupCode()).toBe(false);
  // Unknown fields are ignored.
  expect((await signUp(backend, 'ada@example.com', WRONG)).status).toBe(200);
});

it('is the same code on servers that share their keys, and another one at each start otherwise', async () => {
  const database = await createTestDatabase(migrate);
  const shared = {
    database: { ...database, drop: async () => {} },
    masterKey: new Secret('a master key of at least 32 characters'),
  };
  const [first, second] = [await start(shared), await start(shared)];
  expect(codeOf(first)).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  expect(codeOf(second)).toBe(codeOf(first));
  const refused = { status: 403, error: 'invalid-setup-code' };
  expect(await signUp(second, 'ada@example.com', WRONG)).toEqual(refused);
  expect((await signUp(second, 'ada@example.com', codeOf(first))).status).toBe(200);
  expect(await first.auth.needsSetupCode()).toBe(false);
  for (const backend of started.splice(0)) await stopWithoutErrors(backend);
  await database.drop();
  expect(codeOf(await start())).not.toBe(codeOf(await start()));
});
