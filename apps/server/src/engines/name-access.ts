import { EngineFailure, type Reason } from './failure.ts';

/** Most hosts say of what somebody may not see that it does not exist. */
const HIDDEN: Reason[] = [
  'repository-refused',
  'repository-not-found',
  'image-refused',
  'image-not-found',
];

/** A source that could not be read tells with whose access it was tried. */
export function nameAccess(error: unknown, credential: { name: string } | undefined): unknown {
  if (!(error instanceof EngineFailure) || credential === undefined) return error;
  if (!HIDDEN.includes(error.reason)) return error;
  const evidence = [...error.evidence, `Tried with the integration ${credential.name}`];
  return new EngineFailure(error.reason, evidence, { cause: error });
}
