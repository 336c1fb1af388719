import { createHash } from 'node:crypto';
import { findGroups } from '../../processes/groups/find-groups.ts';
import type { Groups } from '../../processes/groups/groups.ts';
import { EngineFailure } from '../failure.ts';

/** The control groups of this installation; another one on the machine has others. */
export function groupsOf(dataDir: string): Groups | undefined {
  return findGroups(`longshore-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);
}

export function instanceGroup(appId: string, { id }: { id: string }): string {
  return `app-${appId}-${id}`;
}

export function buildGroup(appId: string): string {
  return `build-${appId}`;
}

/** Ends what is in a group, whatever it calls itself and wherever it went, and the group. */
export async function endInGroup(groups: Groups | undefined, name: string): Promise<void> {
  if (groups === undefined || (await groups.end(name))) return;
  throw new EngineFailure('engine-failed', ['Some processes of the app could not be stopped']);
}

/** Of an app that is removed, groups of which nothing else knows included. */
export async function endGroupsOf(groups: Groups | undefined, appId: string): Promise<void> {
  const isOwn = (name: string) =>
    name === buildGroup(appId) || name.startsWith(instanceGroup(appId, { id: '' }));
  for (const name of groups?.names().filter(isOwn) ?? []) await endInGroup(groups, name);
}
