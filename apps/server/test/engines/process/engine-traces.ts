import { glob, readFile } from 'node:fs/promises';
import { isRunning, listProcesses, readEnvironment } from '../../../src/processes/process-table.ts';
import { openControlGroups } from '../../../src/sandbox/open-sandbox.ts';

/** What the builds and instances of an engine leave on the machine: processes, control groups, mounts and records. */
export async function listTraces(dataDir: string, appIds: string[]): Promise<string[]> {
  const marks = new Set(appIds.map((appId) => `LONGSHORE_APP_ID=${appId}`));
  const owned = listProcesses().filter(
    (entry) => isRunning(entry) && readEnvironment(entry.pid).some((line) => marks.has(line)),
  );
  const commands = owned.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .filter((line) => line.includes(dataDir));
  const traces = [
    ...(await Promise.all(commands)),
    ...(openControlGroups(dataDir)?.list() ?? []),
    ...mounts,
  ];
  for await (const path of glob('{apps,records}/*/releases/*', { cwd: dataDir })) traces.push(path);
  return traces;
}
