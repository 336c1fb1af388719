import { instanceLogName } from '@longshore/contract';
import {
  type AppBehaviour,
  describeCommands,
  describeEngineContract,
  describeRunningApps,
} from '@longshore/testkit/engine';
import { describe } from 'vitest';
import { createDockerBench, SERVES } from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { createOperator } from '../../../test/engines/docker/operator.ts';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { storeUpload } from '../../../test/uploads/archives.ts';
import { checkoutsFolder } from '../image-build/build-image.ts';
import { listFolder } from '../process/release-record.ts';

const PROGRAM = ['sleep', '100000'];
/** A builder may run until it is not needed for a while. */
const isBuilder = (command: string) => command.startsWith('rootlesskit buildkitd');

const DOCKERFILES: Record<AppBehaviour, string> = {
  serves: SERVES,
  'exits with code 7': 'CMD ["sh", "-c", "exit 7"]',
  'uses 160 MB of memory, then serves':
    'CMD ["sh", "-c", "head -c 160000000 /dev/zero | busybox tail > /dev/null && exec httpd -f -p $PORT"]',
  // Files in memory are memory of the app.
  'serves, keeps 48 MB of memory and computes':
    'CMD ["sh", "-c", "head -c 48000000 /dev/zero > /dev/shm/kept; while true; do :; done & exec httpd -f -p $PORT"]',
  'takes 3 s to finish after SIGTERM': afterSigterm('sleep 3; echo finished; exit'),
  'ignores SIGTERM': afterSigterm(''),
  'does not build': 'RUN exit 1',
  'builds forever': `RUN ${PROGRAM.join(' ')}`,
};

/** Serves, and runs this when it gets SIGTERM. The shell waits for the server, which gets no signal. */
function afterSigterm(commands: string): string {
  const script = `trap '${commands}' TERM; httpd -f -p $PORT & while true; do wait; done`;
  return `CMD ${JSON.stringify(['sh', '-c', script])}`;
}

describe.skipIf(!canRunDocker)('with a Docker Engine', () => {
  describeEngineContract('docker', async () => {
    const bench = await createDockerBench();
    const operator = createOperator(bench.daemon.api);
    // Kept, so it is no trace of a build.
    await operator.pull(bench.images.builderImage);
    return {
      engine: await bench.engine(),
      limitsMemory: true,
      hasFinished: async ({ appId }) =>
        bench.lines.includes(`[${instanceLogName(appId, 1)}]: finished`),
      spec: (behaviour) => bench.spec([DOCKERFILES[behaviour]]),
      machine: {
        program: PROGRAM.join(' '),
        async traces() {
          const apps = (await operator.containers()).filter(({ Command }) => !isBuilder(Command));
          const programs = await findProcessesByArgv(...PROGRAM);
          const checkouts = await listFolder(checkoutsFolder(bench.deps));
          return [
            ...apps.map(({ Command }) => Command),
            ...programs.map(() => PROGRAM.join(' ')),
            ...checkouts,
            ...(await operator.images()),
          ];
        },
      },
      clear: bench.clear,
    };
  });

  describeCommands('docker', async () => {
    const bench = await createDockerBench();
    return {
      engine: await bench.engine(),
      spec: (changes) => bench.spec([SERVES], changes),
      machine: {
        lines: (logName) => linesOf(logName, bench.lines),
        countPrograms: async (argv) => (await findProcessesByArgv(...argv)).length,
      },
      clear: bench.clear,
    };
  });

  describeRunningApps('docker', async () => {
    const bench = await createDockerBench();
    const { repositories } = bench;
    return {
      engine: await bench.engine({ limits: { ...bench.deps.limits, listenTimeoutMs: 10_000 } }),
      spec: async (files, changes) =>
        repositories.spec(await repositories.repository(files), changes),
      async uploaded(files) {
        const spec = repositories.spec('');
        return { ...spec, origin: await storeUpload(bench.deps.dataDir, spec.appId, files) };
      },
      clear: bench.clear,
    };
  });
});
