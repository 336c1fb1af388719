import { createHash } from 'node:crypto';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { findControlGroups } from '../../processes/control-groups/find-control-groups.ts';
import { EngineFailure } from '../failure.ts';

/** The control groups of this data directory. Other installations on the machine have different ones. */
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

/** Kills all processes of a group and removes it. Processes cannot leave a control group. */
export async function killGroup(groups: ControlGroups | undefined, name: string): Promise<void> {
  if (groups === undefined || (await groups.kill(name))) return;
  throw new EngineFailure('engine-failed', ['Some processes of the app could not be stopped']);
}

/** Kills all groups of an app, including groups without a record. */
export async function killGroupsOfApp(
  groups: ControlGroups | undefined,
  appId: string,
): Promise<void> {
  const isOwn = (name: string) =>
    name === buildGroupName(appId) || name.startsWith(instanceGroupName(appId, { id: '' }));
  for (const name of groups?.list().filter(isOwn) ?? []) await killGroup(groups, name);
}
