import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolArgv } from './programs.mjs';
import { ROOT } from './root.mjs';
import { runCommand } from './run-command.mjs';

/** Runs the tests of projects and answers Vitest's report, or nothing when it came to none. */
export async function runVitest(projects, { filters = [], output } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-report-'));
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const chosen = projects.map((project) => `--project=${project}`);
  const argv = toolArgv('vitest', 'run', ...reporters, ...chosen, ...filters);
  try {
    const code = await runCommand(argv, { cwd: ROOT, output });
    const report = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
    // An error outside of any test is not in the report.
    return report && { ...report, success: report.success && code === 0 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same beside something else: what it prints comes at once when it has ended. */
export async function runVitestAside(projects, options) {
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
