import { instanceLogName } from '@longshore/contract';
import {
  type AppBehaviour,
  describeCommands,
  describeEngineContract,
  describeRunningApps,
} from '@longshore/testkit/engine';
import { describe } from 'vitest';
import { NODE_IMAGE } from '../../../test/engines/docker/base-image.ts';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import { missingForCluster } from '../../../test/engines/kubernetes/cluster.ts';
import { createKubernetesBench } from '../../../test/engines/kubernetes/kubernetes-bench.ts';

/** Images that were built elsewhere: this engine does not build them yet. */
const COMMANDS: Record<AppBehaviour, string> = {
  serves: 'echo ready; exec httpd -f -p $PORT',
  'exits with code 7': 'exit 7',
  'uses 160 MB of memory, then serves':
    'head -c 160000000 /dev/zero | busybox tail > /dev/null && exec httpd -f -p $PORT',
  'serves, keeps 48 MB of memory and computes':
    'head -c 48000000 /dev/zero > /dev/shm/kept; while true; do :; done & exec httpd -f -p $PORT',
  'takes 3 s to finish after SIGTERM': afterSigterm('sleep 3; echo finished; exit'),
  'ignores SIGTERM': afterSigterm(''),
  'does not build': 'exit 1',
  'builds forever': 'sleep 100000',
};

/** Serves, and runs this when it gets SIGTERM. The shell waits for the server, which gets no signal. */
function afterSigterm(commands: string): string {
  return `trap '${commands}' TERM; httpd -f -p $PORT & while true; do wait; done`;
}

describe.skipIf(missingForCluster.length > 0)('with a cluster', () => {
  describeEngineContract('kubernetes', async () => {
    const bench = await createKubernetesBench({ hasMetrics: true });
    return {
      engine: bench.engine(),
      limitsMemory: true,
      isWithout: ['builds'],
      hasFinished: async ({ appId }) =>
        bench.lines.includes(`[${instanceLogName(appId, 1)}]: finished`),
      spec: (behaviour) => bench.spec({ settings: { Cmd: ['sh', '-c', COMMANDS[behaviour]] } }),
      clear: bench.clear,
    };
  });

  describeCommands('kubernetes', async () => {
    const bench = await createKubernetesBench();
    return {
      engine: bench.engine(),
      spec: (changes) => bench.spec({ settings: { Cmd: ['sh', '-c', COMMANDS.serves] } }, changes),
      machine: {
        lines: (logName) => linesOf(logName, bench.lines),
        countPrograms: async (argv) => (await findProcessesByArgv(...argv)).length,
      },
      clear: bench.clear,
    };
  });

  describeRunningApps('kubernetes', async () => {
    const bench = await createKubernetesBench();
    const spec = (files: Record<string, string>, changes = {}) => {
      const inFolder = Object.entries(files).map(([path, text]) => [`app/${path}`, text]);
      const settings = { Cmd: ['node', 'server.js'], WorkingDir: '/app' };
      const image = { base: NODE_IMAGE, files: Object.fromEntries(inFolder), settings };
      return bench.spec(image, changes);
    };
    return {
      engine: bench.engine(),
      isWithout: ['builds', 'network usage', 'loopback'],
      spec,
      uploaded: spec,
      clear: bench.clear,
    };
  });
});
