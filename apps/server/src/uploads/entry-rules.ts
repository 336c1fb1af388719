import { ArchiveProblem, shownName } from './archive-problem.ts';
import type { TarHeader } from './read-tar.ts';

/** What an archive may contain at most. */
export type ArchiveLimits = { maxBytes: number; maxEntries: number; maxDepth: number };

/** A member of an archive that can be unpacked without harm. */
export type SafeEntry = {
  kind: 'file' | 'folder' | 'link';
  /** Relative, without `.` and `..`. */
  path: string;
  size: number;
  isExecutable: boolean;
  modifiedAt: number;
  /** Of a link. */
  target: string;
};

const KINDS: Record<string, SafeEntry['kind']> = { '0': 'file', '2': 'link', '5': 'folder' };

const REFUSED_TYPES: Record<string, string> = {
  '1': 'is a hard link',
  '3': 'is a character device',
  '4': 'is a block device',
  '6': 'is a named pipe',
  S: 'is a sparse file',
};

const SETUID_OR_SETGID = 0o6000;
const EXECUTABLE = 0o111;
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1_024;
/** Of all paths together. They are in memory until the archive is complete. */
const MAX_LISTING_BYTES = 16 * 1024 ** 2;

/**
 * Checks the members of one archive in order. Returns the member, or undefined if there is nothing to unpack; throws an
 * `ArchiveProblem` if it is refused. No path leads through a link, and links stay inside the archive, so that unpacking
 * cannot write outside.
 */
export function createEntryRules(
  limits: ArchiveLimits,
): (header: TarHeader) => SafeEntry | undefined {
  const kinds = new Map<string, SafeEntry['kind']>();
  let [entries, bytes, listing] = [0, 0, 0];

  return (header) => {
    entries += 1;
    bytes += header.size;
    listing += header.path.length;
    if (entries > limits.maxEntries) {
      throw tooLarge(`The archive has more than ${limits.maxEntries} files and folders`);
    }
    if (bytes > limits.maxBytes) {
      const megabytes = Math.floor(limits.maxBytes / 1024 ** 2);
      throw tooLarge(`The archive has more than ${megabytes} MB when it is unpacked`);
    }
    if (listing > MAX_LISTING_BYTES) throw tooLarge('The paths in the archive are too long');
    const kind = kindOf(header);
    const path = safePath(header.path, limits);
    if (path === '') {
      if (kind === 'folder') return undefined;
      throw refused(header.path, 'has no name');
    }
    requireFreePath(path, kind);
    if (kind === 'link') requireInside(path, header.linkTarget);
    return {
      kind,
      path,
      size: kind === 'file' ? header.size : 0,
      isExecutable: (header.mode & EXECUTABLE) !== 0,
      modifiedAt: header.modifiedAt,
      target: kind === 'link' ? header.linkTarget : '',
    };
  };

  function requireFreePath(path: string, kind: SafeEntry['kind']): void {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const parent = parts.slice(0, depth).join('/');
      const found = kinds.get(parent) ?? 'folder';
      if (found !== 'folder') throw refused(path, `is inside ${shownName(parent)}, a ${found}`);
      kinds.set(parent, 'folder');
    }
    const before = kinds.get(path);
    // Folders may be listed again, with other permissions.
    if (before !== undefined && !(before === 'folder' && kind === 'folder')) {
      throw refused(path, 'is listed twice');
    }
    kinds.set(path, kind);
  }
}

function kindOf({ path, type, mode }: TarHeader): SafeEntry['kind'] {
  const kind = KINDS[type];
  if (kind === undefined) throw refused(path, REFUSED_TYPES[type] ?? 'has an unknown type');
  if (kind === 'file' && (mode & SETUID_OR_SETGID) !== 0) {
    throw refused(path, 'has the setuid or setgid permission');
  }
  return kind;
}

function safePath(path: string, { maxDepth }: ArchiveLimits): string {
  if (path.startsWith('/')) throw refused(path, 'has an absolute path');
  if (path.includes('\0')) throw refused(path, 'has a null character in its path');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw refused(path, 'has .. in its path');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw refused(path, 'has a path that is too long');
  if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)) {
    throw refused(path, 'has a name that is too long');
  }
  if (parts.length > maxDepth) throw refused(path, `is more than ${maxDepth} folders deep`);
  return parts.join('/');
}

/**
 * The target may begin with as many `..` as the link is deep, and then only descends. A `..` after a name is refused: the
 * name may be another link, so that the target would be elsewhere than its text says.
 */
function requireInside(path: string, target: string): void {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const ups = parts.findIndex((part) => part !== '..');
  const leading = ups === -1 ? parts.length : ups;
  const depth = path.split('/').length - 1;
  const isInside =
    target !== '' &&
    !target.startsWith('/') &&
    !target.includes('\0') &&
    Buffer.byteLength(target) <= MAX_PATH_BYTES &&
    leading <= depth &&
    !parts.slice(leading).includes('..');
  if (!isInside) throw refused(path, 'is a link to a path outside of the archive');
}

function refused(path: string, why: string): ArchiveProblem {
  return new ArchiveProblem(`${shownName(path)} ${why}`);
}

function tooLarge(message: string): ArchiveProblem {
  return new ArchiveProblem(message, { isTooLarge: true });
}
