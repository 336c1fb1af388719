import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { autoDomain, REDEPLOY_APP } from '@longshore/contract';
import {
  canRunDocker,
  type DockerTestEnvironment,
  startDockerTestEnvironment,
} from '@longshore/server/testing/docker';
import { canMount, mountSmallDisk, type SmallDisk } from '@longshore/server/testing/small-disk';
import { startSteadyLoad } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Deployment, signUp } from '../support/account.ts';
import { processesOf, programsOf, runningScripts } from '../support/app-processes.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { createRandomFaults, type Fault } from '../support/random-faults.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { postgresPid } from '../support/server-processes.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** For more rounds: `LONGSHORE_CHAOS_ROUNDS=100 LONGSHORE_CHAOS_SEED=7`. */
const ROUNDS = Number(process.env.LONGSHORE_CHAOS_ROUNDS ?? 5);
const SEED = Number(process.env.LONGSHORE_CHAOS_SEED ?? 1);
const APPS = ['bow', 'mast', 'stern'];
const FAULT_WITHIN_MS = 2_500;
const DISK_FULL_MS = 1_500;
/** Apps leave 1 GiB of it to the machine. */
const DISK_MEGABYTES = 1_536;
const POLL = { timeout: 120_000, interval: 200 };

const REQUESTS_PER_SECOND = 20;

/** An app with everything that a release can have. */
const FLEET_APP = {
  ...HELLO_APP,
  'worker.js': `setInterval(() => {}, 1000);`,
  'release.js': `setTimeout(() => {}, 300);`,
};
const FLEET = {
  replicas: 3,
  processes: { worker: { command: 'node worker.js' } },
  run: { releaseCommand: 'node release.js' },
  healthCheck: { path: '/', intervalSeconds: 5 },
};

describe.skipIf(!canMount)('recovery from kills and a full disk', () => {
  let folder: TemporaryFolder;
  let disk: SmallDisk;
  let longshore: Longshore;
  let account: Account;
  let restart: () => Promise<void>;

  /** One server on its own disk, with one user. */
  async function start(env: Record<string, string>): Promise<string> {
    folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    disk = await mountSmallDisk(dataDir, DISK_MEGABYTES);
    const options = { dataDir, port: await freePort(), ingressPort: await freePort(), env };
    restart = async () => {
      longshore = await startLongshore(options);
    };
    await restart();
    account = await signUp(longshore.url, 'ada@example.com');
    return dataDir;
  }

  async function stop(): Promise<void> {
    const code = await longshore?.stop();
    await disk?.unmount();
    await folder?.remove();
    expect(code).toBe(0);
  }

  function serverFaults(dataDir: string): Fault[] {
    const killed = { name: 'server killed', inject: () => longshore.kill(), repair: restart };
    return [
      killed,
      killed,
      {
        name: 'Postgres killed',
        inject: async () => void process.kill(await postgresPid(dataDir), 'SIGKILL'),
        repair: async () => {},
      },
      {
        name: 'disk full',
        async inject() {
          await disk.fill();
          await delay(DISK_FULL_MS);
        },
        repair: () => disk.makeRoom(),
      },
    ];
  }

  /** Edits one app after another while faults are injected, until every app runs its last edit. */
  async function editUnderFaults(deployment: Omit<Deployment, 'name'>, faults: Fault[]) {
    const randomFaults = createRandomFaults(SEED, faults);
    const apps = new Map<string, { id: string; name: string; greeting: string }>();
    for (const name of APPS) {
      const id = await account.deploy({ ...deployment, name, env: { GREETING: 'first' } });
      apps.set(name, { id, name, greeting: 'first' });
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      const name = APPS[randomFaults.below(APPS.length)] ?? '';
      const app = apps.get(name);
      if (app === undefined) throw new Error(`There is no app ${name}`);
      const greeting = `round ${round}`;
      const injected = randomFaults.injectSoon(FAULT_WITHIN_MS);
      // Requests without a response are retried, as users do.
      const tryEdit = () =>
        account.edit(app.id, { env: { GREETING: greeting } }).then(
          () => true,
          () => false,
        );
      await expect.poll(tryEdit, POLL).toBe(true);
      apps.set(name, { ...app, greeting });
      await injected;
    }
    for (const app of apps.values()) {
      await expect.poll(() => stateOf(app.id), POLL).toBe('synced: ');
      await expect.poll(() => responseOf(app), POLL).toContain(app.greeting);
    }
    console.info(
      `${randomFaults.summary()} in ${ROUNDS} deployments of ${apps.size} apps, apps lost: 0`,
    );
    return [...apps.values()];
  }

  /** Changes an app under requests while faults are injected, until it runs as desired. None of the requests fails. */
  async function changeUnderFaults(dataDir: string): Promise<void> {
    const url = await makeRepository(join(folder.path, 'fleet'), FLEET_APP);
    const name = 'fleet';
    const mark: [string, string] = ['FLEET', randomUUID()];
    const envOf = (greeting: string) => ({ GREETING: greeting, ...Object.fromEntries([mark]) });
    const id = await account.deploy({ name, url, env: envOf('first'), change: FLEET });
    const expected = { greeting: 'first', web: 3, worker: 1 };
    await expectRunning();
    const host = autoDomain({ id, name }, 'localhost');
    const { ingressPort: port } = longshore;
    const methods = ['GET', 'HEAD'];
    const load = startSteadyLoad({ port, host, perSecond: REQUESTS_PER_SECOND, methods });
    const randomFaults = createRandomFaults(SEED, [
      ...serverFaults(dataDir).filter(({ name: fault }) => fault !== 'disk full'),
      programKilled('instance killed', 'server.js'),
      programKilled('worker killed', 'worker.js'),
    ]);
    const changes = [
      (round: number) => {
        expected.greeting = `round ${round}`;
        return account.edit(id, { env: envOf(expected.greeting) });
      },
      () => {
        expected.web = 2 + randomFaults.below(3);
        return account.edit(id, { replicas: expected.web });
      },
      () => account.graphql(REDEPLOY_APP, { id }),
      () => {
        expected.worker = 1 + randomFaults.below(2);
        const worker = { ...FLEET.processes.worker, replicas: expected.worker };
        return account.edit(id, { processes: { worker } });
      },
    ];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const injected = randomFaults.injectSoon(FAULT_WITHIN_MS);
      const tryChange = () =>
        changes[round % changes.length]?.(round).then(
          () => true,
          () => false,
        );
      await expect.poll(tryChange, POLL).toBe(true);
      await injected;
    }
    await expectRunning();
    await load.stop();
    const failed = [...load.results].filter(([result]) => !/^200 (first|round \d+)?$/.test(result));
    expect(failed).toEqual([]);
    expect(load.results.get(`200 ${expected.greeting}`)).toBeGreaterThan(0);
    console.info(`${randomFaults.summary()} in ${ROUNDS} changes, requests lost: 0`);
    await account.delete(id);
    await expect.poll(running, POLL).toEqual({ web: 0, worker: 0 });

    async function expectRunning(): Promise<void> {
      await expect.poll(() => stateOf(id), POLL).toBe('synced: ');
      await expect.poll(() => responseOf({ id, name }), POLL).toBe(expected.greeting);
      const { web, worker } = expected;
      await expect.poll(running, POLL).toEqual({ web, worker });
    }

    async function running(): Promise<{ web: number; worker: number }> {
      const [web, worker] = [
        await runningScripts('server.js', mark),
        await runningScripts('worker.js', mark),
      ];
      return { web: web.length, worker: worker.length };
    }

    function programKilled(fault: string, script: string): Fault {
      return {
        name: fault,
        async inject() {
          const [pid] = await runningScripts(script, mark);
          if (pid !== undefined) process.kill(pid, 'SIGKILL');
        },
        repair: async () => {},
      };
    }
  }

  async function stateOf(appId: string): Promise<string> {
    return await account.app(appId).then(
      ({ status, message }) => `${status}: ${message}`,
      (error: unknown) => String(error),
    );
  }

  async function responseOf(app: { id: string; name: string }): Promise<string> {
    return await requestApp(longshore, app).then(
      ({ body }) => body,
      (error: unknown) => String(error),
    );
  }

  describe.skipIf(!canRunDocker)('with Docker', () => {
    let docker: DockerTestEnvironment;
    let dataDir: string;

    beforeAll(async () => {
      docker = await startDockerTestEnvironment();
      dataDir = await start(docker.env);
    });
    afterAll(async () => {
      await stop();
      await docker?.stop();
    });

    it('every app ends with one container that serves the last edit', async () => {
      const dockerKilled = {
        name: 'Docker killed',
        inject: docker.kill,
        repair: docker.startAgain,
      };
      const apps = await editUnderFaults({ image: docker.image }, [
        ...serverFaults(dataDir),
        dockerKilled,
      ]);
      const running = async () => {
        const containers = await docker.operator.containers();
        return containers.flatMap(({ Names, State }) => {
          // Builders are kept for the next build.
          if (Names[0]?.includes('-builder-')) return [];
          const app = apps.find(({ id }) => Names[0]?.includes(id));
          return `${app?.name ?? Names[0]} ${State}`;
        });
      };
      const expected = apps.map(({ name }) => `${name} running`).sort();
      await expect.poll(async () => (await running()).sort(), POLL).toEqual(expected);
      for (const { id } of apps) await account.delete(id);
      await expect.poll(running, POLL).toEqual([]);
    });

    it('an app with all settings loses no request', () => changeUnderFaults(dataDir));
  });

  describe('without Docker', () => {
    let dataDir: string;

    beforeAll(async () => {
      dataDir = await start({});
    });
    afterAll(stop);

    it('every app ends with one process that serves the last edit', async () => {
      const url = await makeRepository(join(folder.path, 'hello'), HELLO_APP);
      const apps = await editUnderFaults({ url }, serverFaults(dataDir));
      for (const { id } of apps) {
        await expect.poll(async () => (await programsOf(id)).length, POLL).toBe(1);
      }
      for (const { id } of apps) await account.delete(id);
      for (const { id } of apps) await expect.poll(() => processesOf(id), POLL).toEqual([]);
    });

    it('an app with all settings loses no request', () => changeUnderFaults(dataDir));
  });
});
