import { type AppValues, chartNameOf, decodeAccountUsage } from '@longshore/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import { TIERS } from '../../test/tiers.ts';
import { appValues } from '../../test/values.ts';
import { createOwnerLimits } from '../apps/account-usage.ts';

const MIB = 1024 ** 2;

let backend: Backend;
const measured: string[][] = [];
beforeAll(async () => {
  backend = await startBackend({
    quota: { apps: 3, memoryBytes: 1024 * MIB, builds: 2, diskBytes: 20 * MIB },
    async usedBytes({ appIds }) {
      measured.push(appIds);
      return appIds.length * MIB;
    },
  });
});
afterAll(() => stopWithoutErrors(backend));

async function addApp(ownerId: string, change: Partial<AppValues> = {}): Promise<string> {
  const row = { user_id: ownerId, chart_name: chartNameOf('app'), chart_version: '0.0' };
  const { id } = await backend.db
    .insertInto('public.resources')
    .values({ ...row, values: JSON.stringify({ ...appValues('project'), ...change }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

it('is the usage of the caller, with the limits', async () => {
  const ada = await backend.signUp();
  const eve = await backend.signUp();
  for (let count = 0; count < 3; count += 1) await addApp(ada.user.id);
  const asleep = { instances: 0, resourceTier: 't4' };
  const ids = [
    await addApp(eve.user.id, { resourceTier: 't2' }),
    await addApp(eve.user.id, asleep),
  ];
  backend.builds.set(eve.user.id, { running: 1, waiting: 4 });
  const evesUsage = await backend.request('/v1/usage', { headers: bearer(eve) });
  expect(evesUsage.status).toBe(200);
  expect(evesUsage.body).toEqual({
    apps: { used: 2, limit: 3 },
    memoryBytes: { used: 1024 * MIB, limit: 1024 * MIB },
    cpus: { used: 1, limit: null },
    builds: { used: 1, limit: 2, waiting: 4 },
    diskBytes: { used: 2 * MIB, limit: 20 * MIB },
    perApp: { memoryBytes: 512 * MIB, cpus: 0.5 },
  });
  expect(decodeAccountUsage(evesUsage.body)).toEqual(evesUsage.body);
  expect(measured.at(-1)?.sort()).toEqual(ids.sort());

  const operators = await backend.request('/v1/usage', { headers: bearer(ada) });
  expect(operators.body).toMatchObject({
    apps: { used: 3, limit: null },
    builds: { used: 0, limit: null, waiting: 0 },
    diskBytes: { used: 3 * MIB, limit: null },
  });
});

it('counts the disk of a deleted app until it is removed', async () => {
  const { user, ...session } = await backend.signUp();
  const appId = await addApp(user.id);
  const change = backend.db.updateTable('public.resources').where('id', '=', appId);
  const used = async () => {
    const { body } = await backend.request<Record<string, { used: number }>>('/v1/usage', {
      headers: bearer({ user, ...session }),
    });
    return { apps: body.apps?.used, disk: body.diskBytes?.used };
  };
  await change.set({ deleted: true }).execute();
  expect(await used()).toEqual({ apps: 0, disk: MIB });
  await change.set({ observed_generation: sql<number>`generation` }).execute();
  expect(await used()).toEqual({ apps: 0, disk: 0 });
});

it('is refused without a session', async () => {
  expect((await backend.request('/v1/usage')).status).toBe(401);
});

it('has the next larger size of an app, and knows whether the quota has room for it', async () => {
  const ada = await backend.signUp();
  const appId = await addApp(ada.user.id);
  const nextOf = async (tier: string, tiers = TIERS, replicas = 1) => {
    const { db, quotas } = backend;
    const unused = { apps: undefined as never, engine: {}, uploads: undefined as never };
    const limits = createOwnerLimits({ db, quotas, tiers, ...unused });
    const next = await limits.nextSizeOf({ appId, ownerId: ada.user.id, tier, replicas });
    return next.kind === 'none' ? next.kind : [next.kind, next.tier.name];
  };
  const small = { ...TIERS, machine: { cpus: 1, memoryBytes: 1024 * MIB } };
  expect(await nextOf('t1')).toEqual(['allowed', 't2']);
  expect(await nextOf('t2')).toEqual(['over-quota', 't3']);
  expect(await nextOf('t2', small)).toBe('none');
  expect(await nextOf('t1', small, 2)).toBe('none');
  expect(await nextOf('t1', TIERS, 2)).toEqual(['over-quota', 't2']);
  await addApp(ada.user.id);
  expect(await nextOf('t1')).toEqual(['over-quota', 't2']);
});
