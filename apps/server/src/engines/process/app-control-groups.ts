import { createHash } from 'node:crypto';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { findControlGroups } from '../../processes/control-groups/find-control-groups.ts';
import { EngineFailure } from '../failure.ts';

/** The control groups of this installation; another one on the machine has others. */
export function openControlGroups(dataDir: string): ControlGroups | undefined {
  return findControlGroups(
    `longshore-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`,
  );
}

export function instanceGroupName(appId: string, { id }: { id: string }): string {
  return `app-${appId}-${id}`;
}

export function buildGroupName(appId: string): string {
  return `build-${appId}`;
}

/** Ends what is in a group, whatever it calls itself and wherever it went, and the group. */
export async function killGroup(groups: ControlGroups | undefined, name: string): Promise<void> {
  if (groups === undefined || (await groups.kill(name))) return;
  throw new EngineFailure('engine-failed', ['Some processes of the app could not be stopped']);
}

/** Of an app that is removed, groups of which nothing else knows included. */
export async function killGroupsOfApp(
  groups: ControlGroups | undefined,
  appId: string,
): Promise<void> {
  const isOwn = (name: string) =>
    name === buildGroupName(appId) || name.startsWith(instanceGroupName(appId, { id: '' }));
  for (const name of groups?.list().filter(isOwn) ?? []) await killGroup(groups, name);
}
