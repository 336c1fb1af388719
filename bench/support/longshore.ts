import { freePort } from '../../e2e/support/free-port.ts';
import { type Program, startProgram } from './program.ts';
import type { Scope } from './scope.ts';
import { NODE, ROOT, startCommand } from './start-command.ts';

export type Longshore = Program & { url: string; port: number; ingressPort: number };

/** Starts Longshore like `npm start`, on free ports. */
export async function startLongshore(
  dataDir: string,
  scope: Scope,
  env: Record<string, string> = {},
): Promise<Longshore> {
  const { flags, script } = await startCommand();
  const port = await freePort();
  const ingressPort = await freePort();
  const program = await startProgram(
    {
      argv: [NODE, ...flags, script],
      readyText: 'Longshore is ready',
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LONGSHORE_DATA_DIR: dataDir,
        LONGSHORE_PORT: String(port),
        LONGSHORE_INGRESS_PORT: String(ingressPort),
        LONGSHORE_ENGINE: 'process',
        LONGSHORE_ALLOW_LOCAL_SOURCES: 'true',
        ...env,
      },
    },
    scope,
  );
  return { ...program, url: `http://localhost:${port}`, port, ingressPort };
}
