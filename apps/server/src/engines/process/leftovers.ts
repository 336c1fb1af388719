import { type Identity, NOBODY } from '../../processes/identity.ts';
import { killMatching, type ProcessSelector } from '../../processes/kill-matching.ts';
import { EngineFailure } from '../failure.ts';

export type Leftovers = {
  identity: Identity | undefined;
  marks: Record<string, string>;
  /** Nothing else of the app runs, so every process of the app's user is a leftover. */
  isAlone: boolean;
};

/** Kills processes that left their process group. */
export async function killLeftovers(leftovers: Leftovers): Promise<void> {
  if (!(await killMatching(selectLeftovers(leftovers)))) {
    throw new EngineFailure('engine-failed', ['Some processes of the app could not be stopped']);
  }
}

export function selectLeftovers({ identity, marks, isAlone }: Leftovers): ProcessSelector {
  if (identity !== undefined && isAlone) return { kind: 'uid', uid: identity.uid };
  return {
    kind: 'marked',
    marks,
    uids: identity && [identity.uid, NOBODY, process.geteuid?.() ?? 0],
  };
}
