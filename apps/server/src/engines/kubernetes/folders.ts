import { join } from 'node:path';
import type { KubernetesDeps } from './deps.ts';

type FolderDeps = Pick<KubernetesDeps, 'dataDir'>;

/** Where `EngineRecords` are about an app. */
export function appRecords(appId: string): string {
  return `kubernetes/${appId}`;
}

export function appFolder(appId: string, { dataDir }: FolderDeps): string {
  return join(dataDir, 'kubernetes', appId);
}
