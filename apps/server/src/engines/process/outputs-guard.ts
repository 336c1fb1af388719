import { fileURLToPath } from 'node:url';
import type { Command } from '../../processes/command.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('./guard-program.ts'));

/** What looks after the outputs of instances while no server does. */
export function outputsGuard(home: string): Command {
  return {
    argv: [process.execPath, PROGRAM, home],
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  };
}
