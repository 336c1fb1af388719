import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@longshore/client';
import { type AppValues, autoDomain, type Release, type Resource } from '@longshore/contract';
import { type DnsServer, startDnsServer } from '@longshore/server/testing/dns-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processesOf, programsOf } from '../support/app-processes.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { killProcess } from '../support/kill-processes.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { signUpOwnClient } from '../support/own-client.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp, requestHost } from '../support/request-app.ts';
import { BLOCKED_BUILD_APP } from '../support/sample-apps.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { newTide, TIDE_IN } from '../support/tide.ts';
import { waitFor } from '../support/wait-for.ts';

let folder: TemporaryFolder;
let longshore: Longshore;
let dns: DnsServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  dns = await startDnsServer();
  // Enough as a proof: there is one account.
  dns.set('A hello.example.com', '127.0.0.1');
  longshore = await startLongshore({
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
    env: { LONGSHORE_DNS_SERVERS: dns.address },
  });
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await dns?.close();
  await folder?.remove();
});

it('converges on the last edit, keeps the old release running while a new one fails, and rolls back', async () => {
  // A build ends once the file in PUBLIC_TIDE exists.
  const [existing, missing] = [TIDE_IN, newTide()];
  const repository = join(folder.path, 'hello');
  const url = await makeRepository(repository, BLOCKED_BUILD_APP);
  const app = await deploy(url, { PUBLIC_TIDE: existing, GREETING: 'First' });
  await app.greets('First');
  await app.eventually(() => app.newest(1)?.outcome === 'live');
  const first = app.newest(1);

  // Public access is not part of a release: nothing is redeployed.
  for (const isEnabled of [false, true]) {
    await app.setPublicAccess(isEnabled);
    await app.eventually(() => app.status().status === 'synced');
  }
  await app.greets('First');

  // A custom domain and the generated address serve the app; without public access neither does.
  await app.edit({ publicAccess: { ...app.values().publicAccess, domain: 'hello.example.com' } });
  const both = async () => [await app.statusCode(), await app.statusCode('hello.example.com')];
  await expect.poll(both, { timeout: 60_000 }).toEqual([200, 200]);
  await app.setPublicAccess(false);
  await expect.poll(both, { timeout: 60_000 }).toEqual([404, 404]);
  await app.setPublicAccess(true);
  await app.eventually(() => app.status().status === 'synced');
  await expect.poll(both, { timeout: 60_000 }).toEqual([200, 200]);
  expect(app.releases()).toHaveLength(1);

  // Builds that never finish: each edit cancels the previous one.
  for (const [index, GREETING] of ['Second', 'Third'].entries()) {
    await app.edit({ env: { PUBLIC_TIDE: missing, GREETING } });
    await app.builds(index + 2);
  }
  await makeRepository(repository, { ...BLOCKED_BUILD_APP, 'README.md': 'Newer' });
  await app.edit({ env: { PUBLIC_TIDE: existing, GREETING: 'Last' } });
  await app.greets('Last');
  await app.eventually(() => app.status().status === 'synced');
  await app.eventually(() => app.newest(4)?.outcome === 'live');
  expect(app.releases().map(({ outcome }) => outcome)).toEqual([
    'live',
    'superseded',
    'superseded',
    'live',
  ]);
  // The release before ends after its last request.
  await expect.poll(async () => (await programsOf(app.id)).length).toBe(1);
  const running = await processesOf(app.id);
  expect(running.length).toBeGreaterThan(0);
  expect(await commandsOf(running)).not.toContain('build.js');

  // A cancelled build leaves the serving release alone, and nothing else.
  await app.edit({ env: { PUBLIC_TIDE: missing, GREETING: 'Cancelled' } });
  await app.builds(5);
  expect(await app.cancelBuild(5)).toEqual({ ok: true, id: app.id });
  await app.eventually(() => app.newest(5)?.outcome === 'cancelled');
  await app.eventually(() => app.status().status === 'synced');
  await app.greets('Last');
  expect(await processesOf(app.id)).toEqual(running);

  // The old release restarts unchanged although the desired one fails.
  const source = { ...app.values().source, ref: 'nowhere' };
  await app.edit({ env: { PUBLIC_TIDE: existing, GREETING: 'Last' }, source });
  await app.eventually(() => app.newest(6)?.outcome === 'failed');
  await app.eventually(() => app.status().status === 'backoff');
  for (const pid of await processesOf(app.id)) killProcess(pid);
  await app.eventually(async () => {
    const pids = await processesOf(app.id);
    return pids.length > 0 && !pids.some((pid) => running.includes(pid));
  });
  await app.greets('Last');
  expect(app.status().message).toContain('The branch, tag or commit was not found');

  // A redeploy uses the current state of the branch.
  await app.edit({ source: { ...app.values().source, ref: 'main' } });
  await app.eventually(() => app.newest(7)?.outcome === 'live');
  await makeRepository(repository, { ...BLOCKED_BUILD_APP, 'README.md': 'Newest' });
  expect(await app.redeploy()).toEqual({ ok: true, id: app.id });
  await app.eventually(() => app.newest(8)?.outcome === 'live');
  const [again, ...earlier] = app.releases();
  expect(again?.cause).toMatchObject({ kind: 'edit', actor: { userId: app.ownerId } });
  expect(earlier.map(({ revision }) => revision)).not.toContain(again?.revision);

  // Rolls back to the first commit although the branch has moved.
  expect(await app.rollBack(1)).toEqual({ ok: true, id: app.id });
  await app.greets('First');
  await app.eventually(() => app.newest(9)?.outcome === 'live');
  await app.eventually(() => app.status().status === 'synced');
  const newest = app.newest(9);
  const actor = { userId: app.ownerId };
  expect(newest?.buildReusedFrom).toBe(1);
  expect(newest?.cause).toMatchObject({ kind: 'rollback', to: 1, actor });
  expect(app.releases().at(-1)?.cause).toMatchObject({ kind: 'edit', actor });
  expect(newest?.revision).toBe(first?.revision);
  await app.eventually(() => app.values().source.ref === first?.revision);
  expect(newest?.appPin).toEqual({ release: 1, follows: 'main' });
  expect(app.releases().find(({ number }) => number === 4)?.revision).not.toBe(first?.revision);

  // Follows the branch again.
  expect(await app.resume()).toEqual({ ok: true, id: app.id });
  await app.eventually(() => app.newest(10)?.outcome === 'live');
  expect(app.releases()[0]?.revision).toBe(again?.revision);
  expect(app.releases()[0]?.appPin).toBeUndefined();
  await app.eventually(() => app.values().source.ref === 'main');
  await app.remove();
});

async function deploy(url: string, env: Record<string, string>) {
  const client: Client = await signUpOwnClient(longshore.url);
  const state = client.auth.state();
  const userId = state.kind === 'signed-in' ? state.user.id : '';
  const project = await client.resources.createProject({ name: 'Harbour' });
  const projectId = project.ok ? project.id : '';
  const name = 'hello';
  const created = await client.resources.createApp({
    name,
    projectId,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
    container: { image: '', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url, ref: 'main', secretName: '' },
    env,
    instances: 1,
  });
  const id = created.ok ? created.id : '';
  let rows: Resource[] = [];
  let releases: Release[] = [];
  client.resources.live(userId, {
    next(next) {
      rows = next;
    },
  });
  client.releases.live(
    { appId: id, limit: 20 },
    {
      next(next) {
        releases = next;
      },
    },
  );
  const row = () => rows.find((each) => each.id === id);
  const values = () => row()?.values as AppValues;
  const eventually = (condition: () => boolean | Promise<boolean>) =>
    waitFor(async () => await condition());
  await eventually(() => row() !== undefined);
  async function edit(change: Partial<AppValues>): Promise<void> {
    await client.resources.updateApp(id, { ...values(), ...change });
    await eventually(() => isDeepStrictEqual({ ...values(), ...change }, values()));
  }
  const newest = (number: number) => (releases[0]?.number === number ? releases[0] : undefined);
  return {
    id,
    ownerId: userId,
    values,
    eventually,
    releases: () => releases,
    /** The newest release, once it has this number. */
    newest,
    async builds(release: number): Promise<void> {
      await eventually(() => newest(release) !== undefined);
      await eventually(() => row()?.message?.includes('building') === true);
    },
    status: () => ({ status: row()?.status ?? '', message: row()?.message ?? '' }),
    edit,
    setPublicAccess: (isEnabled: boolean) =>
      edit({
        publicAccess: { ...values().publicAccess, enabled: isEnabled },
        ports: values().ports.map((port) => ({ ...port, expose: isEnabled })),
      }),
    redeploy: () => client.releases.redeploy(id),
    resume: () => client.releases.resume(id),
    cancelBuild: (release: number) => client.releases.cancelBuild(id, release),
    rollBack: (release: number) => client.releases.rollBack(id, release),
    statusCode: async (host = autoDomain({ id, name }, 'localhost')) =>
      (await requestHost(longshore, host)).status,
    greets: (greeting: string) =>
      eventually(async () => (await requestApp(longshore, { id, name })).body.includes(greeting)),
    async remove() {
      await client.resources.deleteResource(id);
      await eventually(async () => (await processesOf(id)).length === 0);
    },
  };
}

async function commandsOf(pids: number[]): Promise<string> {
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(commands)).join('\n');
}
