import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppCommand, ReleaseSpec } from '../../../src/engines/engine.ts';
import { spawnDetached } from '../../../src/processes/spawn-detached.ts';

/** A separate server process that starts one release and hangs in a command or in the build of the next one. */
export async function startKilledServer(task: {
  dataDir: string;
  spec: ReleaseSpec;
  slow?: unknown;
  command?: AppCommand;
  isPlain?: boolean;
}) {
  const path = join(task.dataDir, 'server.out');
  const output = await open(path, 'w');
  const script = fileURLToPath(new URL('./killed-server.ts', import.meta.url));
  const { pid, exited: ended } = await spawnDetached(
    {
      argv: [process.execPath, script, JSON.stringify(task)],
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    },
    output.fd,
  );
  await output.close();
  const printed = async (word: string) =>
    new RegExp(`^${word} (.*)$`, 'm').exec(await readFile(path, 'utf8'))?.[1] ?? '';
  return { pid, ended, printed };
}
