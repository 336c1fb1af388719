import { gitGroupName } from '../../build/git-runner.ts';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { EngineFailure } from '../failure.ts';

export function instanceGroupName(appId: string, { id }: { id: string }): string {
  return `app-${appId}-${id}`;
}

export function buildGroupName(appId: string): string {
  return `build-${appId}`;
}

/** Without an id, the prefix of the groups of all commands of an app. */
export function commandGroupName(appId: string, id = ''): string {
  return `command-${appId}-${id}`;
}

/** Kills all groups of an app whose commands an earlier server left. */
export async function killCommandGroups(
  groups: ControlGroups | undefined,
  appId: string,
): Promise<void> {
  const names = groups?.list().filter((name) => name.startsWith(commandGroupName(appId))) ?? [];
  for (const name of names) await killGroup(groups, name);
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
    name === buildGroupName(appId) ||
    name === gitGroupName(appId) ||
    name.startsWith(commandGroupName(appId)) ||
    name.startsWith(instanceGroupName(appId, { id: '' }));
  for (const name of groups?.list().filter(isOwn) ?? []) await killGroup(groups, name);
}

/** At the start of a server: no other group belongs to a program that still has a use. */
export async function killOtherGroups(
  groups: ControlGroups | undefined,
  kept: ReadonlySet<string>,
): Promise<void> {
  const others = groups?.list().filter((name) => !kept.has(name)) ?? [];
  await Promise.all(others.map((name) => killGroup(groups, name)));
}
