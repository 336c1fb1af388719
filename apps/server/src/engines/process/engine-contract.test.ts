import { glob, readFile } from 'node:fs/promises';
import { type AppBehaviour, describeEngineContract } from '@longshore/testkit/engine';
import { createEngineBench, nodeApp } from '../../../test/engines/process/engine-bench.ts';
import { isRunning, listProcesses, readEnvironment } from '../../processes/process-table.ts';

const FOREVER = 'node -e "setInterval(() => {}, 1000)"';

describeEngineContract('process', async () => {
  const bench = await createEngineBench();
  return {
    engine: await bench.engine(),
    spec: async (behaviour) => bench.spec(await bench.repository(filesOf(behaviour))),
    machine: { traces: () => tracesIn(bench.dataDir), program: 'setInterval' },
    clear: bench.clear,
  };
});

/** Processes of apps, and the folders of releases. */
async function tracesIn(dataDir: string): Promise<string[]> {
  const owned = listProcesses().filter(
    (entry) =>
      isRunning(entry) && readEnvironment(entry.pid).some((line) => line.includes(dataDir)),
  );
  const commands = owned.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  const traces = await Promise.all(commands);
  for await (const folder of glob('apps/*/releases/*', { cwd: dataDir })) traces.push(folder);
  return traces;
}

function filesOf(behaviour: AppBehaviour): Record<string, string> {
  switch (behaviour) {
    case 'serves':
      return nodeApp();
    case 'exits with code 7':
      return { ...nodeApp(), 'server.js': 'process.exit(7)' };
    case 'does not build':
      return { 'package.json': JSON.stringify({ scripts: { start: 'x', build: 'exit 1' } }) };
    case 'builds forever':
      return { 'package.json': JSON.stringify({ scripts: { start: 'x', build: FOREVER } }) };
  }
}
