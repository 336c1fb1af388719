import { randomInt } from 'node:crypto';
import { instanceLogName } from '@longshore/contract';
import {
  type Absent,
  type AppBehaviour,
  describeCommands,
  describeEngineContract,
  describeRunningApps,
  type RunningAppHarness,
} from '@longshore/testkit/engine';
import { afterAll, beforeAll, describe } from 'vitest';
import { NODE_IMAGE } from '../../../test/engines/docker/base-image.ts';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import {
  createKubernetesBench,
  type KubernetesBench,
} from '../../../test/engines/kubernetes/kubernetes-bench.ts';
import {
  openTestCluster,
  type TestCluster,
} from '../../../test/engines/kubernetes/test-cluster.ts';
import { storeUpload } from '../../../test/uploads/archives.ts';
import { checkoutsFolder } from '../image-build/build-image.ts';
import { listFolder } from '../process/release-record.ts';

/** Only the node of a pod knows its network, and what listens on 127.0.0.1 in it (decision 104). */
const NOT_OFFERED: Absent[] = ['network usage', 'loopback', 'accepted connections'];

/** Not the program of another suite that runs on this machine. */
const PROGRAM = ['sleep', String(randomInt(10 ** 8, 10 ** 9))];

type BuildBehaviour = 'does not build' | 'builds forever';

const BUILDS: Record<BuildBehaviour, string> = {
  'does not build': 'RUN exit 1',
  'builds forever': `RUN ${PROGRAM.join(' ')}`,
};

/** Images that were built elsewhere, which takes less time. */
const COMMANDS: Record<Exclude<AppBehaviour, BuildBehaviour>, string> = {
  serves: 'echo ready; exec httpd -f -p $PORT',
  'exits with code 7': 'exit 7',
  'uses 160 MB of memory, then serves':
    'head -c 160000000 /dev/zero | busybox tail > /dev/null && exec httpd -f -p $PORT',
  'serves, keeps 48 MB of memory and computes':
    'head -c 48000000 /dev/zero > /dev/shm/kept; while true; do :; done & exec httpd -f -p $PORT',
  'takes 3 s to finish after SIGTERM': afterSigterm('sleep 3; echo finished; exit'),
  'ignores SIGTERM': afterSigterm(''),
};

/** Serves, and runs this when it gets SIGTERM. The shell waits for the server, which gets no signal. */
function afterSigterm(commands: string): string {
  return `trap '${commands}' TERM; httpd -f -p $PORT & while true; do wait; done`;
}

/** A cluster of somebody else does not reach the base images of tests. */
function withoutBuilds({ canBuild }: KubernetesBench): 'builds'[] {
  return canBuild ? [] : ['builds'];
}

describe.skipIf(missingForCluster.length > 0)('with a cluster', () => {
  let cluster: TestCluster;
  const createBench = (options = {}) => createKubernetesBench({ shared: cluster, ...options });
  beforeAll(async () => {
    cluster = await openTestCluster();
  });
  afterAll(() => cluster?.stop());

  describeCommands('kubernetes', async () => {
    const bench = await createBench();
    return {
      engine: await bench.engine(),
      spec: (changes) => bench.spec({ settings: { Cmd: ['sh', '-c', COMMANDS.serves] } }, changes),
      machine: {
        lines: (logName) => linesOf(logName, bench.lines),
        countPrograms: async (argv) => (await findProcessesByArgv(...argv)).length,
      },
      clear: bench.clear,
    };
  });

  const createRunningApps = async (): Promise<RunningAppHarness> => {
    const bench = await createBench();
    const { repositories } = bench;
    return {
      engine: await bench.engine(),
      canBuild: bench.canBuild,
      // An image takes less time, where a build makes no difference.
      async spec(files, changes = {}) {
        if (changes.build !== undefined) {
          return repositories.spec(await repositories.repository(files), changes);
        }
        const inFolder = Object.entries(files).map(([path, text]) => [`app/${path}`, text]);
        const settings = { Cmd: ['node', 'server.js'], WorkingDir: '/app' };
        const image = { base: NODE_IMAGE, files: Object.fromEntries(inFolder), settings };
        return await bench.spec(image, changes);
      },
      async uploaded(files) {
        const spec = repositories.spec('');
        return { ...spec, origin: await storeUpload(bench.deps.dataDir, spec.appId, files) };
      },
      clear: bench.clear,
    };
  };

  describeRunningApps('kubernetes', createRunningApps, { isWithout: NOT_OFFERED });

  // Last: a cluster removes no namespaces while a registered Metrics Server does not respond.
  describeEngineContract('kubernetes', async () => {
    const bench = await createBench({ hasMetrics: true });
    return {
      engine: await bench.engine(),
      limitsMemory: true,
      isWithout: withoutBuilds(bench),
      hasFinished: async ({ appId }) =>
        bench.lines.includes(`[${instanceLogName(appId, 1)}]: finished`),
      spec: (behaviour) =>
        behaviour === 'does not build' || behaviour === 'builds forever'
          ? bench.source([BUILDS[behaviour]])
          : bench.spec({ settings: { Cmd: ['sh', '-c', COMMANDS[behaviour]] } }),
      machine: {
        program: PROGRAM.join(' '),
        async traces() {
          const programs = await findProcessesByArgv(...PROGRAM);
          const checkouts = await listFolder(checkoutsFolder(bench.deps));
          return [...programs.map(() => PROGRAM.join(' ')), ...checkouts];
        },
      },
      clear: bench.clear,
    };
  });
});
