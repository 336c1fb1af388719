import { join } from 'node:path';
import type { DockerParts } from './deps.ts';

/** What Docker cannot remember of an app. Only the server looks in here. */
export function appFolder(appId: string, { home }: Pick<DockerParts, 'home'>): string {
  return join(home, 'docker', appId);
}

export function checkoutsFolder({ home }: Pick<DockerParts, 'home'>): string {
  return join(home, 'checkouts');
}
