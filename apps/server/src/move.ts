import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type CommandContext, runCommand } from './lifecycle/run-command.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { describeMove } from './move/describe-move.ts';
import { moveInstallation } from './move/move-installation.ts';
import { readMoveTarget } from './move/move-target.ts';
import { openDataDirectory } from './wiring/data-directory.ts';

const USAGE = 'Usage: npm run move -- <file with the settings of the target>';
const ALREADY_SHARED =
  'This installation already shares its state: its servers can run elsewhere with the same settings.';
const INTERRUPTED =
  'Interrupted. The database of the target is still empty; run the command again.';

await runCommand(move, { interrupted: INTERRUPTED });

/**
 * Copies this installation to the shared state of other servers. Its own server must be stopped. Of the installation, only the
 * database changes: missing migrations run.
 */
async function move(context: CommandContext): Promise<void> {
  const { args, config, print, signal } = context;
  const path = readArguments(args);
  if (config.state === 'shared') throw new StartProblem(ALREADY_SHARED);
  if (!existsSync(config.dataDir)) throw new StartProblem(`There is no ${config.dataDir}.`);
  const target = await readMoveTarget(path);
  const opened = await openDataDirectory(context);
  const { connection, installation, dataDir: uploadsDir } = opened;
  const { dataDir, s3 } = config;
  const source = { connection, installation, dataDir, uploadsDir, s3 };
  for (const line of describeMove(await moveInstallation(source, target, signal))) print(line);
}

function readArguments(args: string[]): string {
  try {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [path, ...rest] = positionals;
    if (path !== undefined && rest.length === 0) return path;
  } catch (cause) {
    throw new StartProblem(USAGE, { cause });
  }
  throw new StartProblem(USAGE);
}
