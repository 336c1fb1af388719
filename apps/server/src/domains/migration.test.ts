import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { chartNameOf, type Session } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { appValues } from '../../test/values.ts';

const DAY_MS = 86_400_000;

let backend: Backend;
let ada: Session;
let eve: Session;

beforeAll(async () => {
  backend = await startBackend();
  [ada, eve] = [await backend.signUp(), await backend.signUp()];
});
afterAll(() => stopWithoutErrors(backend));

type OldApp = { owner?: Session; domain?: string; enabled?: boolean; deleted?: boolean };

async function makeApp({ owner = ada, domain = 'auto', enabled = true, deleted = false }: OldApp) {
  const publicAccess = { enabled, domain, baseDomain: 'localhost' };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({
      user_id: owner.user.id,
      chart_name: chartNameOf('app'),
      chart_version: '0.0',
      values: JSON.stringify({ ...appValues(randomUUID()), publicAccess }),
      deleted,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Runs the part of the migration that converts rows, on tables as they were before. */
async function migrateRows(verified: { domain: string; appId: string }[] = []): Promise<void> {
  const file = new URL('../db/migrations/0023-domain-proofs.sql', import.meta.url);
  const statements = (await readFile(file, 'utf8')).split(/;\n/);
  const convert = statements.find((each) => each.includes('row_number() over')) ?? '';
  expect(convert).toContain('insert into deploy.domain_claims');
  await backend.pool.query(`
    delete from deploy.domain_claims;
    delete from deploy.domain_checks;
    drop table if exists deploy.domains;
    create table deploy.domains (
      domain text primary key, app_id uuid not null, verified_at timestamptz not null default now()
    )`);
  for (const { domain, appId } of verified) {
    await backend.pool.query('insert into deploy.domains values ($1, $2)', [domain, appId]);
  }
  await backend.pool.query(convert);
}

const claimsOf = (domain: string) =>
  backend.db
    .selectFrom('deploy.domain_claims')
    .select(['app_id', 'is_routed', 'routed_until', 'proof'])
    .where('domain', '=', domain)
    .orderBy('is_routed', 'desc')
    .execute();

it('keeps a domain that is routed for 30 days without a proof, and checks it at once', async () => {
  const domain = 'routed.example.com';
  const id = await makeApp({ domain });
  await migrateRows();
  const [claim] = await claimsOf(domain);
  expect(claim).toMatchObject({ app_id: id, is_routed: true, proof: null });
  const days = ((claim?.routed_until?.getTime() ?? 0) - Date.now()) / DAY_MS;
  expect(days).toBeCloseTo(30, 1);
  const due = await backend.domains.store.due(Date.now() + 1_000, 100);
  expect(due).toContainEqual({ domain, ownerId: ada.user.id });
  backend.domains.clock.ahead = 30 * DAY_MS + 60_000;
  await backend.domains.check(domain);
  expect(await claimsOf(domain)).toMatchObject([{ app_id: id, is_routed: false }]);
  backend.domains.clock.ahead = 0;
});

it('keeps a domain of two apps at the one that was verified, or else at the oldest', async () => {
  const [verified, other] = ['verified.example.com', 'other.example.com'];
  const [first, second] = [
    [await makeApp({ domain: verified }), await makeApp({ domain: other })],
    [await makeApp({ domain: verified, owner: eve }), await makeApp({ domain: other, owner: eve })],
  ];
  await migrateRows([{ domain: verified, appId: second?.[0] ?? '' }]);
  expect(await claimsOf(verified)).toMatchObject([
    { app_id: second?.[0], is_routed: true },
    { app_id: first?.[0], is_routed: false, routed_until: null },
  ]);
  expect(await claimsOf(other)).toMatchObject([
    { app_id: first?.[1], is_routed: true },
    { app_id: second?.[1], is_routed: false, routed_until: null },
  ]);
});

it('keeps nothing for apps that are deleted, and routes none that are not public', async () => {
  const [gone, hidden] = ['gone.example.com', 'hidden.example.com'];
  await makeApp({ domain: gone, deleted: true });
  const id = await makeApp({ domain: hidden, enabled: false });
  const shown = await makeApp({ domain: hidden, owner: eve });
  await migrateRows();
  expect(await claimsOf(gone)).toEqual([]);
  expect(await claimsOf(hidden)).toMatchObject([
    { app_id: shown, is_routed: true },
    { app_id: id, is_routed: false, routed_until: null },
  ]);
});

it('ends with the grace when another account proves the domain', async () => {
  const domain = 'sold.example.com';
  await makeApp({ domain });
  await migrateRows();
  const eves = await makeApp({ domain, owner: eve });
  backend.domains.dns.set(domain, { txt: [await backend.domains.store.tokenOf(eve.user.id)] });
  await backend.domains.check(domain);
  expect(await claimsOf(domain)).toMatchObject([
    { app_id: eves, is_routed: true, proof: 'txt' },
    { is_routed: false, routed_until: null },
  ]);
});
