import type { ProcessEngineDeps } from '../../../src/engines/process/deps.ts';
import { noSourceCredentials } from '../../../src/engines/source-credentials.ts';
import { createToolchain } from '../../../src/toolchain/toolchain.ts';
import { createFakeLogSink } from '../fake-log-sink.ts';
import { TEST_NETWORK } from './test-network.ts';

/** What a process engine of a test needs on this machine. `onLine` gets its log lines. */
export async function engineDeps(
  dataDir: string,
  onLine: (text: string, name: string) => void = () => {},
): Promise<ProcessEngineDeps> {
  const isRoot = process.getuid?.() === 0;
  return {
    dataDir,
    isRoot,
    toolchain: await createToolchain({
      dataDir,
      isRoot,
      nodePath: process.execPath,
      nodeVersion: process.versions.node,
    }),
    logs: createFakeLogSink(onLine),
    logInfo: () => {},
    logError: () => {},
    clock: Date,
    allowLocalSources: true,
    network: TEST_NETWORK,
    credentials: noSourceCredentials,
  };
}
