import { type Identity, NOBODY } from '../../processes/identity.ts';
import { sweep, type Target } from '../../processes/sweep.ts';
import { EngineFailure } from '../failure.ts';

export type Leftovers = {
  identity: Identity | undefined;
  marks: Record<string, string>;
  /** Nothing else of the app runs, so whatever runs as the app's own user is left over. */
  isAlone: boolean;
};

/** Ends what escaped its process group. */
export async function endLeftovers(leftovers: Leftovers): Promise<void> {
  if (!(await sweep(targetOf(leftovers)))) {
    throw new EngineFailure('engine-failed', ['Some processes of the app could not be stopped']);
  }
}

export function targetOf({ identity, marks, isAlone }: Leftovers): Target {
  if (identity !== undefined && isAlone) return { kind: 'uid', uid: identity.uid };
  return {
    kind: 'marked',
    marks,
    uids: identity && [identity.uid, NOBODY, process.geteuid?.() ?? 0],
  };
}
