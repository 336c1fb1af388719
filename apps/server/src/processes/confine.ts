import { accessSync, constants, readFileSync } from 'node:fs';

/** The programs of this machine that restrict another program before it starts. */
export type ConfinementTools = {
  setpriv?: string | undefined;
  prlimit?: string | undefined;
  /** Hard limits cannot be raised, so requested limits are capped by them. */
  hardLimits: { openFiles: number; processes: number };
};

export type ProcessLimits = {
  openFiles?: number;
  /** Counted per uid, so it is only useful when the app has its own user. */
  processes?: number;
  fileBytes?: number;
  /** RLIMIT_DATA of each process: writable memory, whether it is used or not. */
  dataBytes?: number;
};

type Argv = readonly [program: string, ...args: string[]];

/** Prefixes the argv with programs that forbid new privileges and core dumps and set limits. */
export function confineArgv(
  argv: Argv,
  limits: ProcessLimits,
  confinement: ConfinementTools,
): Argv {
  const { setpriv, prlimit } = confinement;
  const limited: Argv =
    prlimit === undefined ? argv : [prlimit, ...prlimitFlags(limits, confinement), '--', ...argv];
  return setpriv === undefined ? limited : [setpriv, '--no-new-privs', '--', ...limited];
}

export function findConfinementTools(): ConfinementTools {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  return {
    setpriv: findProgram('setpriv'),
    prlimit: findProgram('prlimit'),
    hardLimits: {
      openFiles: parseHardLimit(limits, 'Max open files'),
      processes: parseHardLimit(limits, 'Max processes'),
    },
  };
}

/** Reads one row of `/proc/self/limits`: name, soft limit, hard limit, unit. */
export function parseHardLimit(limits: string, name: string): number {
  const row = limits.split('\n').find((line) => line.startsWith(name)) ?? '';
  const [, hard = ''] = row.slice(name.length).trim().split(/\s+/);
  return /^\d+$/.test(hard) ? Number(hard) : Number.POSITIVE_INFINITY;
}

function prlimitFlags(limits: ProcessLimits, { hardLimits }: ConfinementTools): string[] {
  const { openFiles, processes, fileBytes, dataBytes } = limits;
  return [
    // 1 and not 0: see `NO_CORE_DUMP` of sandboxes.
    '--core=1',
    ...(openFiles === undefined ? [] : [`--nofile=${Math.min(openFiles, hardLimits.openFiles)}`]),
    ...(processes === undefined ? [] : [`--nproc=${Math.min(processes, hardLimits.processes)}`]),
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
    ...(dataBytes === undefined ? [] : [`--data=${dataBytes}`]),
  ];
}

function findProgram(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin']
    .map((folder) => `${folder}/${name}`)
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
