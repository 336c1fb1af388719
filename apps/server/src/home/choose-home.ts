import { createHash } from 'node:crypto';
import { closedFolder, type PathMode } from './reachable.ts';

export type HomeChoice =
  | { kind: 'data-dir'; path: string; mode: number }
  | { kind: 'elsewhere'; path: string; mode: number; reason: string }
  | { kind: 'closed'; message: string };

type Circumstances = {
  dataDir: string;
  isRoot: boolean;
  /** The folders above the data directory. */
  ancestors: readonly PathMode[];
  /** Where homes go that cannot stay in their data directory. */
  shelter: string;
  /** What an earlier start left: nothing, everything in the data directory, or a link to a home elsewhere. */
  earlier: { kind: 'none' } | { kind: 'data-dir' } | { kind: 'elsewhere'; path: string };
};

/** Others pass through a home but cannot list it; what is private in it has folders of mode 0700. */
const PASSABLE = 0o711;
const PRIVATE = 0o700;

/**
 * As root, Postgres and the apps run as other users and must be able to pass every folder above their own.
 * A home stays where it is once something lives in it.
 */
export function chooseHome(circumstances: Circumstances): HomeChoice {
  const { dataDir, isRoot, ancestors, shelter, earlier } = circumstances;
  if (!isRoot) return { kind: 'data-dir', path: dataDir, mode: PRIVATE };
  const closedBy = closedFolder(ancestors);
  if (earlier.kind === 'elsewhere') {
    const reason = closedBy === undefined ? 'as since the first start' : closedReason(closedBy);
    return { kind: 'elsewhere', path: earlier.path, mode: PASSABLE, reason };
  }
  if (closedBy === undefined) return { kind: 'data-dir', path: dataDir, mode: PASSABLE };
  if (earlier.kind === 'data-dir') return { kind: 'closed', message: closedMessage(closedBy) };
  const path = `${shelter}/${shortHash(dataDir)}`;
  return { kind: 'elsewhere', path, mode: PASSABLE, reason: closedReason(closedBy) };
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function closedReason(folder: string): string {
  return `because ${folder} is closed to the users they run as`;
}

function closedMessage(folder: string): string {
  return `LONGSHORE_DATA_DIR lies below ${folder}, which is closed to the users that the database and the apps run as: open it with chmod o+x, or move the data directory.`;
}
