import type { AppRef, Client } from '@longshore/client';
import {
  type ChartBench,
  canStopPrograms,
  createChartBench,
  killContainer,
  missingForCluster,
  pauseApiServer,
} from '@longshore/server/testing/chart';
import { eventually } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PASSWORD } from '../support/nhost.ts';
import { connectOwnClient } from '../support/own-client.ts';
import {
  createApp,
  drain,
  INSTALL,
  listPods,
  SERVES,
  setS3,
  signUpOperator,
  uploadFile,
} from './installation.ts';
import { expectNoFailures, get, startSteadyRequests } from './steady-requests.ts';

const CREATE_MS = 900_000;
const LEADER = { timeout: 120_000 };
const OUTAGE_MS = 60_000;
/** Prints numbered lines, ten per second. */
const COUNTS = `(i=0; while true; do i=$((i + 1)); echo "line $i"; sleep 0.1; done) & ${SERVES}`;

describe.skipIf(missingForCluster.length > 0)('three servers', () => {
  let bench: ChartBench;
  let several: string[];
  let user: Omit<Awaited<ReturnType<typeof signUpOperator>>, 'client'>;
  let apps: Record<'pair' | 'single', Awaited<ReturnType<typeof createApp>>>;

  beforeAll(async () => {
    bench = await createChartBench();
    several = ['--set', 'server.replicas=3', ...setS3(await bench.objectStore())];
  }, CREATE_MS);
  afterAll(() => bench?.stop(), 120_000);

  const servers = () => listPods(bench, '-l', 'app.kubernetes.io/component=server');
  const signIn = async (url: string) => {
    const client = connectOwnClient(url);
    await client.auth.signIn({ email: user.email, password: PASSWORD });
    return client;
  };
  const findLeader = async () => {
    const name = await eventually(() => bench.leader(), 'a leader');
    const all = await servers();
    const leader = all.find((it) => it.name === name);
    const other = all.find((it) => it.name !== name);
    if (leader === undefined || other === undefined) throw new Error(`${name} is no server`);
    return { leader, other };
  };
  const isOther = async (former: string) => ![former, undefined].includes(await bench.leader());
  const consoleUrl = async () => ({
    url: await bench.urlOf('longshore-server'),
    host: 'console.test',
  });

  it(
    'share an account, a project and apps',
    async () => {
      await bench.helm('install', 'longshore', ...bench.values('1'), ...several, ...INSTALL);
      expect(await servers()).toHaveLength(3);
      const { client, ...rest } = await signUpOperator(bench);
      user = rest;
      const app = { projectId: user.projectId, script: COUNTS };
      const pair = await createApp(client, bench, { ...app, name: 'pair', replicas: 2 });
      const single = await createApp(client, bench, { ...app, name: 'single' });
      apps = { pair, single };
      for (const each of [pair, single]) {
        await eventually(async () => (await get(each)) === 'hello\n', `${each.host}`);
      }
    },
    CREATE_MS,
  );

  it('each serve sign-in, live queries, logs and files of the others', async () => {
    let fileId: string | undefined;
    for (const { address } of await servers()) {
      const client = await signIn(`http://${address}:1337`);
      const names = liveNames(client);
      await eventually(async () => names().includes('single'), `a live query of ${address}`);
      const log = followLog(client, { projectId: user.projectId, appId: apps.single.id });
      await eventually(async () => log.numbers().length > 10, `lines of ${address}`);
      fileId ??= await uploadFile(client);
      const file = await client.files.download(fileId);
      expect(file.ok && (await file.data.text())).toBe('a letter');
    }
  });

  it('lose the one that leads, and no request, live query or line of a log', async () => {
    const { leader, other } = await findLeader();
    const client = await signIn(`http://${other.address}:1337`);
    const names = liveNames(client);
    const namesOfKilled = liveNames(await signIn(`http://${leader.address}:1337`));
    const log = followLog(client, { projectId: user.projectId, appId: apps.single.id });
    await eventually(async () => log.numbers().length > 20, 'lines');
    const requests = startSteadyRequests(apps.pair);
    const printedBefore = Math.max(...log.numbers());
    await killContainer(`POD_IP=${leader.address}`);
    await expect.poll(() => isOther(leader.name), LEADER).toBe(true);

    const renamed = await client.resources.updateProject(user.projectId, { name: 'quay' });
    expect(renamed.ok).toBe(true);
    await eventually(async () => names().includes('quay'), 'the live query');
    await eventually(async () => namesOfKilled().includes('quay'), 'the other live query');
    await expect
      .poll(() => Math.max(...log.numbers()), LEADER)
      .toBeGreaterThan(printedBefore + 100);
    // As they were printed, and each once: those of the seconds without a leader too.
    const followed = [...log.numbers()];
    expect(followed).toEqual(range(followed[0] ?? 0, followed.length));
    const stored = await storedNumbers(client, {
      projectId: user.projectId,
      appId: apps.single.id,
    });
    expect(stored).toEqual(range(1, stored.length));
    expect(stored.length).toBeGreaterThan(printedBefore + 100);
    await expectNoFailures(requests);
  }, 300_000);

  it('leave the node of the one that leads without a failed request', async () => {
    const { leader } = await findLeader();
    const requests = [startSteadyRequests(apps.pair), startSteadyRequests(await consoleUrl())];
    // The disk of Postgres belongs to its node.
    await drain(bench, leader.node, ['postgres']);
    await eventually(() => isOther(leader.name), 'another leader');
    for (const each of requests) await expectNoFailures(each);
  }, 400_000);

  it(
    'are upgraded without a failed request to the console or to apps',
    async () => {
      const before = (await servers()).map(({ name }) => name);
      const requests = [startSteadyRequests(apps.pair), startSteadyRequests(await consoleUrl())];
      const upgrade = [...bench.values('2'), ...several, '--wait', '--timeout', '10m'];
      await bench.helm('upgrade', 'longshore', ...upgrade);
      const isNew = async () => {
        const now = await servers();
        return now.length === 3 && !now.some(({ name }) => before.includes(name));
      };
      await eventually(isNew, 'new servers only');
      for (const each of requests) await expectNoFailures(each);
    },
    CREATE_MS,
  );

  it.skipIf(!canStopPrograms)(
    'serve apps and the console while the cluster does not respond, and deploy again afterwards',
    async () => {
      const client = await signIn(await bench.urlOf('longshore-server'));
      const requests = [startSteadyRequests(apps.pair), startSteadyRequests(await consoleUrl())];
      const resume = await pauseApiServer(bench.kubeconfig);
      try {
        const endsAt = performance.now() + OUTAGE_MS;
        await expect.poll(() => performance.now() > endsAt, { timeout: 2 * OUTAGE_MS }).toBe(true);
      } finally {
        resume();
      }
      const app = { projectId: user.projectId, script: SERVES, name: 'later' };
      const later = await createApp(client, bench, app);
      await eventually(async () => (await get(later)) === 'hello\n', 'a new app');
      for (const each of requests) await expectNoFailures(each);
    },
    400_000,
  );
});

/** The names of projects and apps, as the console has them. */
function liveNames(client: Client): () => string[] {
  const state = client.auth.state();
  if (state.kind !== 'signed-in') throw new Error('Not signed in');
  let names: string[] = [];
  const stop = client.resources.live(state.user.id, {
    next(resources) {
      names = resources.flatMap(({ values }) => ('name' in values ? [values.name] : []));
    },
  });
  onTestFinished(stop);
  return () => names;
}

/** The numbers of the lines that have arrived. */
function followLog(client: Client, app: AppRef): { numbers(): number[] } {
  const stopping = new AbortController();
  const found: number[] = [];
  const following = client.logs.follow(app, {
    signal: stopping.signal,
    onLine({ text }) {
      const number = /^line (\d+)$/.exec(text)?.[1];
      if (number !== undefined) found.push(Number(number));
    },
  });
  onTestFinished(async () => {
    stopping.abort();
    await following.catch(() => {});
  });
  return { numbers: () => found };
}

/** The numbers of all lines that are kept. */
async function storedNumbers(client: Client, app: AppRef): Promise<number[]> {
  const { signal } = new AbortController();
  const file = await client.logs.download(app, { signal });
  if (!file.ok) throw new Error(file.error.message);
  const lines = (await file.data.content.text()).matchAll(/\bline (\d+)$/gm);
  return [...lines].map(([, number]) => Number(number));
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
