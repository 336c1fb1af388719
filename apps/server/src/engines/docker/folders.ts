import { join } from 'node:path';
import type { DockerDeps } from './deps.ts';

/** Records that Docker cannot store. Only the server has access. */
export function appFolder(appId: string, { dataDir }: Pick<DockerDeps, 'dataDir'>): string {
  return join(dataDir, 'docker', appId);
}
