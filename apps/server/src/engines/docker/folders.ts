import { join } from 'node:path';
import type { DockerDeps } from './deps.ts';

/** What Docker cannot remember of an app. Only the server looks in here. */
export function appFolder(appId: string, { dataDir }: Pick<DockerDeps, 'dataDir'>): string {
  return join(dataDir, 'docker', appId);
}

export function checkoutsFolder({ dataDir }: Pick<DockerDeps, 'dataDir'>): string {
  return join(dataDir, 'checkouts');
}
