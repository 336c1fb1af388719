import type { Fix } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import { compilesVariables, missingVariables } from '../build/missing-variables.ts';
import type { EngineFailure, Reason } from '../engines/failure.ts';

/** Failures of an app that may want variables. */
const OF_APP: Reason[] = [
  'app-exited',
  'crash-loop',
  'port-never-answered',
  'release-command-failed',
];

/** What probably solves a failure: what the engine found, and the variables that the app lacks. */
export function fixesOf(
  { reason, evidence, fixes }: Pick<EngineFailure, 'reason' | 'evidence' | 'fixes'>,
  { values, detected }: Pick<Release, 'values' | 'detected'>,
): Fix[] {
  const isOfApp = OF_APP.includes(reason);
  if (!isOfApp && reason !== 'build-failed') return fixes;
  const missing = missingVariables({
    lines: evidence,
    set: Object.keys(values.env),
    // A build rarely needs the variables of the app.
    examples: isOfApp || compilesVariables(evidence) ? (detected.variables ?? []) : [],
  });
  return [...fixes, ...missing];
}
