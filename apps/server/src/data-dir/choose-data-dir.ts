import { createHash } from 'node:crypto';
import { findClosedFolder, type PathMode } from './path-permissions.ts';

export type DataDirChoice =
  | { kind: 'configured'; path: string; mode: number }
  | { kind: 'relocated'; path: string; mode: number; reason: string }
  | { kind: 'inaccessible'; message: string };

type Circumstances = {
  configuredDir: string;
  isRoot: boolean;
  /** The folders above the configured directory. */
  ancestors: readonly PathMode[];
  /** The parent of relocated data directories. */
  fallbackRoot: string;
  /** Where an earlier start stored its data: nowhere, in the configured directory, or in a relocated one. */
  existing: { kind: 'none' } | { kind: 'configured' } | { kind: 'relocated'; path: string };
};

/** Other users can pass through the data directory but cannot list it. Private folders in it have mode 0700. */
const PASSABLE = 0o711;
const PRIVATE = 0o700;

/**
 * When the server runs as root, Postgres and the apps run as other users, which must be able to pass every folder above their
 * own. Existing data is never moved.
 */
export function chooseDataDir(circumstances: Circumstances): DataDirChoice {
  const { configuredDir, isRoot, ancestors, fallbackRoot, existing } = circumstances;
  if (!isRoot) return { kind: 'configured', path: configuredDir, mode: PRIVATE };
  const closedFolder = findClosedFolder(ancestors);
  if (existing.kind === 'relocated') {
    const reason =
      closedFolder === undefined ? 'as since the first start' : relocationReason(closedFolder);
    return { kind: 'relocated', path: existing.path, mode: PASSABLE, reason };
  }
  if (closedFolder === undefined) {
    return { kind: 'configured', path: configuredDir, mode: PASSABLE };
  }
  if (existing.kind === 'configured') {
    return { kind: 'inaccessible', message: inaccessibleMessage(closedFolder) };
  }
  const path = `${fallbackRoot}/${shortHash(configuredDir)}`;
  return { kind: 'relocated', path, mode: PASSABLE, reason: relocationReason(closedFolder) };
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function relocationReason(folder: string): string {
  return `because ${folder} is not accessible for the users they run as`;
}

function inaccessibleMessage(folder: string): string {
  return `LONGSHORE_DATA_DIR is below ${folder}, which is not accessible for the users that the database and the apps run as. Run chmod o+x ${folder}, or move the data directory.`;
}
