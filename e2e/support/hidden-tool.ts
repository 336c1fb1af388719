import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, startScript } from './longshore.ts';

/**
 * The start script on a machine without bubblewrap and with another apt-get. Both are replaced in a mount namespace of its
 * own: for the rest of the machine nothing changes.
 */
export async function withoutBubblewrap(folder: string, aptGet: string) {
  const calls = join(folder, 'apt-calls');
  const fake = join(folder, 'apt-get');
  await writeFile(calls, '');
  await writeFile(fake, `#!/bin/sh\necho "$*" >> ${calls}\n${aptGet}\n`);
  await chmod(fake, 0o755);
  const { argv, cwd } = startScript(ROOT);
  const prepare =
    'mount --bind /dev/null /usr/bin/bwrap && mount --bind "$0" /usr/bin/apt-get && exec "$@"';
  return {
    command: { argv: ['unshare', '--mount', 'sh', '-c', prepare, fake, ...argv], cwd } as const,
    /** The arguments of each run of apt-get, without its options. */
    async aptCalls(): Promise<string[]> {
      const lines = (await readFile(calls, 'utf8')).trim().split('\n');
      return lines.map((line) => line.replaceAll(/-(qq|o \S+) ?/g, '')).filter((it) => it !== '');
    },
  };
}
