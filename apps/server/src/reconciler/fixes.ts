import type { Fix } from '@longshore/contract';
import type { Release } from '../apps/releases.ts';
import { crashAdvice } from '../build/crash-advice.ts';
import { compilesVariables, missingVariables } from '../build/missing-variables.ts';
import { versionAdvice } from '../build/version-advice.ts';
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
    read: detected.readVariables ?? [],
  });
  return [...fixes, ...missing];
}

/** What to do about a crash in addition to its fixes, unless the output of the app leads to one of them. */
export function adviceBeside(
  fixes: readonly Fix[],
  lines: readonly string[],
  { values, detected }: Pick<Release, 'values' | 'detected'>,
): string[] {
  // Variables in example files are a guess.
  const isFound = (fix: Fix) => fix.kind === 'variable' && fix.source.kind !== 'file';
  const python = values.build?.versions?.python ?? detected.versions?.python;
  if (fixes.some(isFound)) return [];
  const ofVersion = versionAdvice(lines, python);
  return ofVersion.length > 0 ? ofVersion : crashAdvice(lines);
}
