import { join } from 'node:path';
import type { KubernetesDeps } from './deps.ts';

type FolderDeps = Pick<KubernetesDeps, 'dataDir'>;

export function appFolder(appId: string, { dataDir }: FolderDeps): string {
  return join(dataDir, 'kubernetes', appId);
}
