import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { TEST_NETWORK } from '../engines/process/test-network.ts';

/** The sandbox of a server with the data directory `root`. Only root has one. */
export async function openTestSandbox(root: string) {
  const programs = join(root, 'programs');
  await mkdir(programs);
  const opened = await openSandbox({
    dataDir: root,
    programs,
    isRoot: true,
    settings: TEST_NETWORK,
    logError: () => {},
  });
  const { isolated, groups, close } = opened;
  if (isolated === undefined || groups === undefined) {
    await close();
    throw new Error(missingOf(opened));
  }
  return { sandbox: isolated.sandbox, groups, close };
}

function missingOf({ isolation }: OpenSandbox): string {
  return isolation.kind === 'isolated' ? 'control groups' : isolation.missing.join();
}
