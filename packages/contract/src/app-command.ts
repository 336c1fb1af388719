import { commandProblem } from './build-settings.ts';
import { decodeActor, type ReleaseActor } from './release.ts';
import { isRecord } from './type-guards.ts';

export const COMMAND_DEFAULT_SECONDS = 600;
export const COMMAND_MAX_SECONDS = 3_600;
/** So many of the newest commands of an app are stored, with their output. */
export const STORED_COMMANDS = 20;

export type CommandState =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'timed-out'
  /** The server stopped while it ran. */
  | 'interrupted';

/** A command that a user ran once in an app. */
export type CommandRun = {
  number: number;
  /** With secrets of the app masked. */
  command: string;
  state: CommandState;
  /** Undefined until it has exited by itself. */
  exitCode: number | undefined;
  /** Why it failed without an exit code. */
  message: string;
  release: number;
  /** Undefined: the operator. */
  actor?: ReleaseActor;
  startedAt: string;
  endedAt: string | undefined;
};

const STATES: Record<CommandState, { isActive: boolean }> = {
  queued: { isActive: true },
  running: { isActive: true },
  succeeded: { isActive: false },
  failed: { isActive: false },
  cancelled: { isActive: false },
  'timed-out': { isActive: false },
  interrupted: { isActive: false },
};

export function isActiveCommand({ state }: Pick<CommandRun, 'state'>): boolean {
  return STATES[state].isActive;
}

/** Of a command that a user types to run it now. */
export function runCommandProblem(text: string): string | undefined {
  return text.trim() === '' ? 'Enter a command' : commandProblem(text);
}

export function commandSecondsProblem(seconds: unknown): string | undefined {
  const isAllowed =
    Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= COMMAND_MAX_SECONDS;
  return isAllowed
    ? undefined
    : `Must be a whole number of seconds between 1 and ${COMMAND_MAX_SECONDS}`;
}

/** Skips malformed rows. */
export function decodeCommands(rows: unknown): CommandRun[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row): CommandRun[] => {
    if (!isRecord(row) || typeof row.number !== 'number') return [];
    if (typeof row.state !== 'string' || !Object.hasOwn(STATES, row.state)) return [];
    return [
      {
        number: row.number,
        command: String(row.command ?? ''),
        state: row.state as CommandState,
        exitCode: typeof row.exit_code === 'number' ? row.exit_code : undefined,
        message: typeof row.message === 'string' ? row.message : '',
        release: Number(row.release),
        ...(isRecord(row.actor) ? decodeActor(row.actor) : {}),
        startedAt: String(row.started_at ?? ''),
        endedAt: typeof row.ended_at === 'string' ? row.ended_at : undefined,
      },
    ];
  });
}
