import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inOwnNetwork } from './own-network.mjs';
import { toolArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';

/**
 * Runs the tests of some projects, in a network of their own if asked for. Returns Vitest's report, or nothing if Vitest
 * wrote none.
 */
export async function runVitest(projects, { filters = [], hasOwnNetwork = false, output } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.map((project) => `--project=${project}`);
  const argv = toolArgv('vitest', 'run', ...reporters, ...chosen, ...filters);
  try {
    const command = hasOwnNetwork ? inOwnNetwork(argv) : argv;
    const code = await runCommand(command, { cwd: ROOT, output });
    const report = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
    // The report does not contain errors outside any test.
    return report && { ...report, success: report.success && code === 0 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Like runVitest, but prints the whole output at the end, so that it does not mix with other output. */
export async function runVitestInBackground(projects, options) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-output-'));
  const output = await open(join(folder, 'output'), 'a+');
  try {
    return await runVitest(projects, { ...options, output: output.fd });
  } finally {
    process.stdout.write(await readFile(join(folder, 'output')));
    await output.close();
    await rm(folder, { recursive: true });
  }
}
