import { createProcessEngine } from '../../../src/engines/process/engine.ts';
import { noSourceCredentials } from '../../../src/engines/source-credentials.ts';
import { createToolchain } from '../../../src/toolchain/toolchain.ts';
import { createFakeLogSink } from '../fake-log-sink.ts';
import { TEST_NETWORK } from './test-network.ts';

/*
 * For the test of adoption: starts one release, hangs in the build of the next, and waits to be killed.
 */
const { dataDir, spec, slow } = JSON.parse(process.argv[2] ?? '');
const isRoot = process.getuid?.() === 0;
const { signal } = new AbortController();
const engine = await createProcessEngine({
  dataDir,
  isRoot,
  toolchain: await createToolchain({
    dataDir,
    isRoot,
    nodePath: process.execPath,
    nodeVersion: process.versions.node,
  }),
  logs: createFakeLogSink((text, name) => printBuildPid(name, text)),
  logInfo: () => {},
  logError: () => {},
  clock: Date,
  allowLocalSources: true,
  network: TEST_NETWORK,
  credentials: noSourceCredentials,
});

function printBuildPid(name: string, text: string): void {
  if (name.endsWith('-build-2') && /^\d+$/.test(text)) process.stdout.write(`building ${text}\n`);
}

await engine.build(spec, () => {}, signal);
await engine.waitUntilListening(await engine.startInstance(spec, signal), spec, signal);
await engine.build(slow, () => {}, signal);
