import {
  commandProblem,
  type Detected,
  type Processes,
  processNameProblem,
  processReplicasProblem,
  runningProcesses,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

/** A process other than `web` in the form. An empty size is that of the app. */
export type ProcessRow = {
  id: string;
  name: string;
  command: string;
  replicas: string;
  resourceTier: string;
  /** Not stored yet. Its name may begin like one of the Procfile. */
  isAdded?: true;
};

export type ProcessField = Exclude<keyof ProcessRow, 'id' | 'isAdded'>;

/** `procfile`: its command there, if it is there. Its name is fixed, and it cannot be removed. */
export type ShownProcess = { row: ProcessRow; procfile: string | undefined };

/** By row id. */
export type ProcessProblems = Record<string, Partial<Record<ProcessField, string>>>;

const DEFAULT_REPLICAS = '1';

export function rowsFromProcesses(processes: Processes = {}): ProcessRow[] {
  return Object.entries(processes).map(([name, settings], index) => ({
    id: String(index + 1),
    name,
    command: settings.command ?? '',
    replicas: String(settings.replicas ?? DEFAULT_REPLICAS),
    resourceTier: settings.resourceTier ?? '',
  }));
}

/** Undefined: none. What is empty, and one instance, is not stored. */
export function processesFromRows(rows: ProcessRow[]): Processes | undefined {
  const entries = rows.map(({ name, command, replicas, resourceTier }) => [
    name.trim(),
    {
      ...(command.trim() !== '' && { command: command.trim() }),
      ...(replicas.trim() !== DEFAULT_REPLICAS && { replicas: Number(replicas) }),
      ...(resourceTier !== '' && { resourceTier }),
    },
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function emptyProcessRow(rows: ProcessRow[], name = ''): ProcessRow {
  const highest = Math.max(0, ...rows.map(({ id }) => Number(id)));
  const id = String(highest + 1);
  return { id, name, command: '', replicas: DEFAULT_REPLICAS, resourceTier: '' };
}

export function addedProcessRow(rows: ProcessRow[]): ProcessRow {
  return { ...emptyProcessRow(rows), isAdded: true };
}

/** The processes of the Procfile, with what is set for them, and then the others. */
export function shownProcesses(
  rows: ProcessRow[],
  { processes = {} }: Pick<Detected, 'processes'> = {},
): ShownProcess[] {
  const isFound = ({ name, isAdded }: ProcessRow) => !isAdded && Object.hasOwn(processes, name);
  const found = Object.entries(processes).map(([name, procfile]) => {
    const unset = { ...emptyProcessRow([], name), id: procfileRowId(name) };
    return { row: rows.find((row) => isFound(row) && row.name === name) ?? unset, procfile };
  });
  const others = rows.filter((row) => !isFound(row));
  return [...found, ...others.map((row) => ({ row, procfile: undefined }))];
}

/** Of a process of the Procfile without a row. */
export function procfileRowId(name: string): string {
  return `procfile-${name}`;
}

/** A process of the Procfile gets a row with its first change, and loses it with the last one. */
export function changeProcess(
  rows: ProcessRow[],
  { row, procfile }: ShownProcess,
  change: Partial<ProcessRow>,
): ProcessRow[] {
  const changed = { ...row, ...change };
  const isKnown = rows.some(({ id }) => id === row.id);
  if (!isKnown) return [...rows, { ...changed, id: emptyProcessRow(rows).id }];
  const isAsFound = procfile !== undefined && isDefault(changed);
  return isAsFound
    ? rows.filter(({ id }) => id !== row.id)
    : rows.map((each) => (each.id === row.id ? changed : each));
}

function isDefault({ command, replicas, resourceTier }: ProcessRow): boolean {
  return command === '' && replicas === DEFAULT_REPLICAS && resourceTier === '';
}

/** Undefined: no problem. `isImage`: an image has no Procfile. `detected`: by the last build, if there was one. */
export function processProblems(
  rows: ProcessRow[],
  isImage: boolean,
  detected?: Pick<Detected, 'processes'>,
): ProcessProblems | undefined {
  const problems = rows.flatMap((row, index) => {
    const name = row.name.trim();
    const isInProcfile = row.isAdded === true && Object.hasOwn(detected?.processes ?? {}, name);
    const isTaken =
      isInProcfile || rows.slice(0, index).some((other) => other.name.trim() === name);
    const found = {
      name: isTaken ? MESSAGES.processes.taken : processNameProblem(name),
      command: missingCommand(row, isImage, detected) ?? commandProblem(row.command),
      replicas: processReplicasProblem(row.replicas),
    };
    const entries = Object.entries(found).filter(([, problem]) => problem !== undefined);
    return entries.length === 0 ? [] : [[row.id, Object.fromEntries(entries)]];
  });
  return problems.length === 0 ? undefined : Object.fromEntries(problems);
}

/** Before the first build, the command may be in the Procfile. */
function missingCommand(
  { command, isAdded }: ProcessRow,
  isImage: boolean,
  detected: object | undefined,
): string | undefined {
  if (command.trim() !== '') return undefined;
  if (isImage) return MESSAGES.processes.needsCommandOfImage;
  return isAdded && detected !== undefined ? MESSAGES.processes.needsCommand : undefined;
}

/** The names of the processes that would run. */
export function runningRows(rows: ProcessRow[], detected?: Pick<Detected, 'processes'>): string[] {
  return runningProcesses(
    shownProcesses(rows, detected).map(({ row }) => ({
      name: row.name,
      replicas: Number(row.replicas),
    })),
  );
}
