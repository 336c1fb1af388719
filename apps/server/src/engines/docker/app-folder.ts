import { join } from 'node:path';
import type { DockerParts } from './deps.ts';

/** What Docker cannot remember of an app. Only the server looks in here. */
export function appFolder(appId: string, { dataDir }: Pick<DockerParts, 'dataDir'>): string {
  return join(dataDir, 'docker', appId);
}

export function checkoutsFolder({ dataDir }: Pick<DockerParts, 'dataDir'>): string {
  return join(dataDir, 'checkouts');
}
