import { createProcessEngine } from '../../../src/engines/process/engine.ts';
import { withoutIsolation } from './engine-bench.ts';
import { engineDeps } from './engine-deps.ts';

/*
 * For the test of adoption: starts one release, hangs in a command or in the build of the next one, and waits to be killed.
 */
const { dataDir, spec, slow, command, isPlain } = JSON.parse(process.argv[2] ?? '');
const { signal } = new AbortController();
const deps = await engineDeps(dataDir, (text, name) => printBuildPid(name, text));
const engine = await createProcessEngine(
  isPlain === true ? { ...deps, openSandbox: withoutIsolation } : deps,
);

function printBuildPid(name: string, text: string): void {
  if (name.endsWith('-build-2') && /^\d+$/.test(text)) process.stdout.write(`building ${text}\n`);
}

await engine.build(spec, () => {}, signal);
await engine.waitUntilListening(await engine.startInstance(spec, signal), spec, signal);
if (command !== undefined) await engine.runCommand(spec, command, signal);
await engine.build(slow, () => {}, signal);
