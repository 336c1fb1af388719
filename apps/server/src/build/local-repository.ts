import { constants, type Stats } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { EngineFailure } from '../engines/failure.ts';
import type { Command } from '../processes/command.ts';
import type { Mount } from '../sandbox/sandbox.ts';

/**
 * A repository of this machine that stays open from its check until the end of the fetch. Moving it or putting a link in its
 * place meanwhile does not change what git reads.
 */
export type LocalRepository = {
  stats: Stats;
  /** For git in a sandbox, which sees nothing else: links and alternates in the repository lead nowhere. */
  sandboxed: { url: string; mounts: Mount[]; wrap(argv: Command['argv']): Command['argv'] };
  /** For git without a sandbox, which inherits the open folder. */
  inherited: { url: string; fds: number[] };
  /** Replaces paths that only git sees. */
  clarify(line: string): string;
  close(): Promise<void>;
};

const MOUNT_POINT = '/local-repository';
const INHERITED_FOLDER = '/proc/self/fd/3';

/** What the sandbox prints when it got another folder than the checked one. */
export const REPLACED = 'The repository was replaced while it was checked';

/** A mount cannot be replaced any more, but its source may have been replaced until it was mounted. */
const REFUSE_OTHER_FOLDER = `
  test "$(stat -c %d:%i "$1")" = "$2" || { echo '${REPLACED}'; exit 1; }
  shift 2
  exec "$@"
`;

/** Errors of a path that leads to no folder, or only by a link. */
const NO_FOLDER = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

/** Opens the folder at a path without links. */
export async function openLocalRepository(path: string): Promise<LocalRepository> {
  const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const folder = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw NO_FOLDER.includes(error.code ?? '')
      ? new EngineFailure('repository-not-found', [`${path} is not the folder of a repository`])
      : new EngineFailure('engine-failed', [`${path} could not be opened: ${error.code}`]);
  });
  try {
    const openedPath = await readlink(`/proc/self/fd/${folder.fd}`);
    if (openedPath !== path) throw new EngineFailure('source-not-allowed', [REPLACED]);
    const stats = await folder.stat();
    const { dev, ino } = await folder.stat({ bigint: true });
    return {
      stats,
      sandboxed: {
        url: `file://${MOUNT_POINT}`,
        mounts: [{ source: path, target: MOUNT_POINT, isWritable: false }],
        wrap: (argv) => [
          ...(['sh', '-c', REFUSE_OTHER_FOLDER, 'sh'] as const),
          ...[MOUNT_POINT, `${dev}:${ino}`],
          ...argv,
        ],
      },
      inherited: { url: `file://${INHERITED_FOLDER}`, fds: [folder.fd] },
      clarify: (line) => line.replaceAll(MOUNT_POINT, path).replaceAll(INHERITED_FOLDER, path),
      close: () => folder.close(),
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}
