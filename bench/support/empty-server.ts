import { type Program, startProgram } from './program.ts';
import type { Scope } from './scope.ts';
import { NODE, startCommand } from './start-command.ts';

const SOURCE = `
  require('node:http')
    .createServer((request, response) => response.end())
    .listen(0, '127.0.0.1', () => console.log('listening'));
`;

/** The baseline for any server on this Node: it only listens. */
export async function startEmptyServer(scope: Scope): Promise<Program> {
  const { flags } = await startCommand();
  return await startProgram(
    { argv: [NODE, ...flags, '-e', SOURCE], readyText: 'listening' },
    scope,
  );
}
