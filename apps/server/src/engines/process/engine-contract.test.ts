import { instanceLogName } from '@longshore/contract';
import {
  type AppBehaviour,
  describeCommands,
  describeEngineContract,
  describeRunningApps,
} from '@longshore/testkit/engine';
import { findProcessesByArgv } from '../../../test/engines/docker/find-processes.ts';
import { linesOf } from '../../../test/engines/fake-log-sink.ts';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
  withoutIsolation,
} from '../../../test/engines/process/engine-bench.ts';
import { listTraces } from '../../../test/engines/process/engine-traces.ts';
import { storeUpload } from '../../../test/uploads/archives.ts';
import type { ReleaseSpec } from '../engine.ts';

const FOREVER = 'node -e "setInterval(() => {}, 1000)"';

const USES_MEMORY = 'const kept = Buffer.alloc(160_000_000, 1);\n';

const KEEPS_BUSY = `globalThis.kept = Buffer.alloc(48_000_000, 1);
setInterval(() => { for (const end = Date.now() + 20; Date.now() < end; ); }, 40);
`;

describeEngineContract('process', async () => {
  const bench = await createEngineBench();
  const appIds: string[] = [];
  return {
    engine: await bench.engine(),
    hasFinished: async ({ appId }) => bench.lines.some((line) => isFinished(line, appId)),
    limitsMemory: process.getuid?.() === 0,
    async spec(behaviour) {
      const spec = bench.spec(await bench.repository(filesOf(behaviour)));
      appIds.push(spec.appId);
      return spec;
    },
    machine: { traces: () => listTraces(bench.dataDir, appIds), program: 'setInterval' },
    clear: bench.clear,
  };
});

describeCommands('process', async () => {
  const bench = await createEngineBench();
  return { ...(await commandHarness(bench)), engine: await bench.engine() };
});

describeCommands('process (without isolation)', async () => {
  const bench = await createEngineBench();
  const engine = await bench.engine({ openSandbox: withoutIsolation });
  return { ...(await commandHarness(bench)), engine };
});

describeRunningApps('process', async () => {
  const bench = await createEngineBench();
  return {
    engine: await bench.engine(),
    spec: async (files, changes) => bench.spec(await bench.repository(files), changes),
    async uploaded(files) {
      const spec = bench.spec('');
      return { ...spec, origin: await storeUpload(bench.dataDir, spec.appId, files) };
    },
    clear: bench.clear,
  };
});

async function commandHarness(bench: EngineBench) {
  const url = await bench.repository(nodeApp());
  return {
    spec: async (changes?: Partial<ReleaseSpec>) => bench.spec(url, changes),
    machine: {
      lines: (logName: string) => linesOf(logName, bench.lines),
      countPrograms: async (argv: string[]) => (await findProcessesByArgv(...argv)).length,
    },
    clear: bench.clear,
  };
}

function filesOf(behaviour: AppBehaviour): Record<string, string> {
  switch (behaviour) {
    case 'serves':
      return nodeApp();
    case 'exits with code 7':
      return { ...nodeApp(), 'server.js': 'process.exit(7)' };
    case 'uses 160 MB of memory, then serves':
      return { ...nodeApp(), 'server.js': `${USES_MEMORY}${nodeApp()['server.js']}` };
    case 'serves, keeps 48 MB of memory and computes':
      return { ...nodeApp(), 'server.js': `${KEEPS_BUSY}${nodeApp()['server.js']}` };
    case 'takes 3 s to finish after SIGTERM':
      return afterSigterm("setTimeout(() => { console.log('finished'); process.exit(); }, 3_000)");
    case 'ignores SIGTERM':
      return afterSigterm('{}');
    case 'does not build':
      return { 'package.json': JSON.stringify({ scripts: { start: 'x', build: 'exit 1' } }) };
    case 'builds forever':
      return { 'package.json': JSON.stringify({ scripts: { start: 'x', build: FOREVER } }) };
  }
}

/** Before it listens: a connection may be accepted while the rest of the file still runs. */
function afterSigterm(statement: string): Record<string, string> {
  const files = nodeApp();
  const server = `process.on('SIGTERM', () => ${statement});\n${files['server.js']}`;
  return { ...files, 'server.js': server };
}

function isFinished(line: string, appId: string): boolean {
  return line.startsWith(`[${instanceLogName(appId, 1)}]`) && line.endsWith('finished');
}
