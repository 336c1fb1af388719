import { join } from 'node:path';
import { autoDomain } from '@longshore/contract';
import {
  canRunDocker,
  type DockerTestEnvironment,
  startDockerTestEnvironment,
} from '@longshore/server/testing/docker';
import { type SteadyLoad, startSteadyLoad } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, signIn, signUp } from '../support/account.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { hasPreviousVersion, previousVersion } from '../support/previous-version.ts';
import { requestApp } from '../support/request-app.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const EMAIL = 'ada@example.com';
const SETTLE_TIMEOUT_MS = 90_000;
const REQUESTS_PER_SECOND = 50;

type Started = { Id: string; State: { StartedAt: string }; HostConfig: { Tmpfs?: object } };

describe.skipIf(!canRunDocker || !(await hasPreviousVersion()))(
  'an upgrade from the version without builders',
  () => {
    let folder: TemporaryFolder;
    let docker: DockerTestEnvironment;
    let upgraded: Longshore;
    let load: SteadyLoad;
    let account: Account;
    let running: string;
    let hibernated: string;
    let before: Started[];

    beforeAll(async () => {
      folder = await temporaryFolder();
      docker = await startDockerTestEnvironment();
      const env = { ...docker.env, LONGSHORE_ALLOW_LOCAL_SOURCES: 'true' };
      const options = {
        dataDir: join(folder.path, 'data'),
        port: await freePort(),
        ingressPort: await freePort(),
        env,
      };
      const command = await previousVersion(join(folder.path, 'previous'));
      const previous = await startLongshore({ ...options, command });
      account = await signUp(previous.url, EMAIL);
      const { image } = docker;
      running = await account.deploy({ name: 'running', image, env: { GREETING: 'before' } });
      hibernated = await account.deploy({ name: 'hibernated', image, env: { GREETING: 'asleep' } });
      for (const appId of [running, hibernated])
        await waitFor(() => isSynced(appId), SETTLE_TIMEOUT_MS);
      await account.hibernate(hibernated);
      await waitFor(async () => (await containersOf(hibernated)).length === 0, SETTLE_TIMEOUT_MS);
      before = await containersOf(running);
      await previous.stop();
      upgraded = await startLongshore(options);
      account = await signIn(upgraded.url, EMAIL);
      await waitFor(async () => (await greetingOf(running)).includes('before'), SETTLE_TIMEOUT_MS);
      load = startSteadyLoad({
        port: upgraded.ingressPort,
        host: autoDomain({ id: running, name: 'running' }, 'localhost'),
        perSecond: REQUESTS_PER_SECOND,
      });
    });

    afterAll(async () => {
      await load?.stop();
      await upgraded?.stop();
      await docker?.stop();
      await folder?.remove();
    });

    it('neither rebuilds nor restarts a running app', async () => {
      expect(await isSynced(running)).toBe(true);
      expect(before).toHaveLength(1);
      expect(await containersOf(running)).toEqual(before);
    });

    it('wakes an app with the image from before', async () => {
      await account.edit(hibernated, { instances: 1 });
      await waitFor(
        async () => (await greetingOf(hibernated)).includes('asleep'),
        SETTLE_TIMEOUT_MS,
      );
    });

    it('applies the new limits with the next release, and loses no request', async () => {
      expect(before[0]?.HostConfig.Tmpfs).toBeUndefined();
      await account.edit(running, { env: { GREETING: 'after' } });
      await waitFor(async () => (await greetingOf(running)).includes('after'), SETTLE_TIMEOUT_MS);
      await waitFor(async () => (await containersOf(running)).length === 1, SETTLE_TIMEOUT_MS);
      const [now] = await containersOf(running);
      expect(now?.Id).not.toBe(before[0]?.Id);
      expect(now?.HostConfig.Tmpfs).toHaveProperty('/tmp');
      await load.stop();
      const statuses = new Set([...load.results.keys()].map((result) => result.split(' ')[0]));
      // 501: how the web server of the app responds to a POST.
      expect(statuses).toEqual(new Set(['200', '501']));
    });

    async function isSynced(appId: string): Promise<boolean> {
      return (await account.app(appId)).status === 'synced';
    }

    async function greetingOf(appId: string): Promise<string> {
      const name = appId === running ? 'running' : 'hibernated';
      return (await requestApp(upgraded, { id: appId, name })).body;
    }

    async function containersOf(appId: string): Promise<Started[]> {
      const all = await docker.operator.containers();
      const own = all.filter(({ Names }) => Names.some((name) => name.includes(appId)));
      const found = await docker.operator.details<Started>(own);
      return found.map(({ Id, State, HostConfig }) => ({
        Id,
        State: { StartedAt: State.StartedAt },
        HostConfig: HostConfig.Tmpfs === undefined ? {} : { Tmpfs: HostConfig.Tmpfs },
      }));
    }
  },
);
