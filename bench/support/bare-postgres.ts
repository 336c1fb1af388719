import { statSync } from 'node:fs';
import { argvOf, nameOf, processTreeOf } from './processes.ts';
import { type Program, startProgram } from './program.ts';
import type { Scope } from './scope.ts';

/** The command line of a running Postgres, to start it again alone. */
export type PostgresCommand = { argv: [string, ...string[]]; uid: number; gid: number };

export type DatabaseConnection = { host: string; user: string; database: string };

/** The main process of the Postgres that a server started. */
export function postgresOf(serverPid: number): number {
  const pid = processTreeOf(serverPid).find((it) => nameOf(it) === 'postgres');
  if (pid === undefined) throw new Error('The server has not started a Postgres');
  return pid;
}

export function postgresCommand(pid: number): PostgresCommand {
  const [file, ...args] = argvOf(pid);
  if (file === undefined) throw new Error('Postgres has exited');
  const { uid, gid } = statSync(`/proc/${pid}`);
  return { argv: [file, ...args], uid, gid };
}

/** Connection settings of the Postgres that a server started. */
export function databaseOf(serverPid: number): DatabaseConnection {
  const argv = argvOf(postgresOf(serverPid));
  const host = argv[argv.indexOf('-k') + 1] ?? '';
  return { host, user: 'longshore', database: 'postgres' };
}

/** The same Postgres without connections. */
export async function startBarePostgres(command: PostgresCommand, scope: Scope): Promise<Program> {
  return await startProgram(
    {
      ...command,
      readyText: 'database system is ready',
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    },
    scope,
  );
}
