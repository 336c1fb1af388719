import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT, startLongshore } from './longshore.ts';
import { temporaryFolder } from './temporary-folder.ts';

it('leaves no process when a start takes too long', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const pidFile = join(folder.path, 'pid');
  const steps = pathToFileURL(join(ROOT, 'scripts/steps/run-command.mjs')).href;
  const installing = `import { runCommand } from '${steps}';
    await runCommand(['sh', '-c', 'echo $$ > "$0" && exec sleep 600', '${pidFile}']);`;
  const argv = [process.execPath, '--input-type=module', '--eval', installing] as const;
  const deadline = new AbortController();
  const options = { dataDir: folder.path, port: 1, ingressPort: 2 };
  const start = startLongshore({ ...options, command: { argv, cwd: ROOT } }, deadline.signal);
  const rejection = expect(start).rejects.toThrow('Not ready in time');
  const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => ''));
  await expect.poll(pid).toBeGreaterThan(0);
  deadline.abort();
  await rejection;
  const installer = await pid();
  await expect.poll(() => isRunning(installer)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
