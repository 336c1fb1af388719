import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';

/** Runs tests in this terminal and answers Vitest's report, or nothing when it came to none. */
export async function runVitest(...args) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const code = await runCommand(toolArgv('vitest', 'run', ...reporters, ...args), { cwd: ROOT });
    const report = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
    // An error outside of any test is not in the report.
    return report && { ...report, success: report.success && code === 0 };
  } finally {
    await rm(folder, { recursive: true });
  }
}
