import { temporaryFolder } from '../../e2e/support/temporary-folder.ts';
import type { Scope } from './scope.ts';

/** A temporary folder for one benchmark. */
export async function benchmarkFolder(scope: Scope): Promise<string> {
  const { path, remove } = await temporaryFolder();
  scope.defer(remove);
  return path;
}
