import { chmod } from 'node:fs/promises';
import { temporaryFolder } from '../../e2e/support/temporary-folder.ts';
import type { Scope } from './scope.ts';

/** A folder for one benchmark. Others may pass: as root, the database and the apps run as other users. */
export async function benchmarkFolder(scope: Scope): Promise<string> {
  const folder = await temporaryFolder();
  scope.defer(folder.remove);
  await chmod(folder.path, 0o755);
  return folder.path;
}
