import type { ReleaseValues } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';

type Commanded = Pick<Release, 'commandDone' | 'isRollback'> & {
  values: Pick<ReleaseValues, 'run'>;
};

/** Whether the release command has to run before the first instance of a release starts. */
export function isReleaseCommandDue(release: Commanded & Pick<Release, 'outcome'>): boolean {
  const { values, outcome } = release;
  const command = values.run?.releaseCommand;
  return command !== undefined && outcome === undefined && completedCommand(release) !== command;
}

export function isReleaseCommandFailure({ reason }: Pick<Release, 'reason'>): boolean {
  return reason === 'release-command-failed' || reason === 'release-command-timed-out';
}

/** The release command that a new release need not run, because it ran for the build that the release reuses. */
export function inheritedCommand(
  { run }: Pick<ReleaseValues, 'run'>,
  from: Commanded | undefined,
): string | undefined {
  const completed = from && completedCommand(from);
  return completed === run?.releaseCommand ? completed : undefined;
}

/** A rollback runs no command: its build has run before. */
function completedCommand({ values, isRollback, commandDone }: Commanded): string | undefined {
  return isRollback === true ? values.run?.releaseCommand : commandDone;
}
