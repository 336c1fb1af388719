import { createProcessEngine } from '../../../src/engines/process/engine.ts';
import { engineDeps } from './engine-deps.ts';

/*
 * For the test of adoption: starts one release, hangs in the build of the next, and waits to be killed.
 */
const { dataDir, spec, slow } = JSON.parse(process.argv[2] ?? '');
const { signal } = new AbortController();
const deps = await engineDeps(dataDir, (text, name) => printBuildPid(name, text));
const engine = await createProcessEngine(deps);

function printBuildPid(name: string, text: string): void {
  if (name.endsWith('-build-2') && /^\d+$/.test(text)) process.stdout.write(`building ${text}\n`);
}

await engine.build(spec, () => {}, signal);
await engine.waitUntilListening(await engine.startInstance(spec, signal), spec, signal);
await engine.build(slow, () => {}, signal);
