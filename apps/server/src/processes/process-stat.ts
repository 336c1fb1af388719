import { readFile } from 'node:fs/promises';

/** Distinguishes a process from a later one with the same pid, and a running one from a zombie. */
export type ProcessStat = {
  state: string;
  groupId: number;
  /** Clock ticks since the machine started. */
  startTime: string;
};

/** Undefined when there is no such process. */
export async function readProcessStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : parseProcessStat(text);
}

/** A zombie has exited already and waits for its parent to reap it. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readProcessStat(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

/** The program name is in parentheses and may contain any character, so fields are counted from the last parenthesis. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , groupId] = fields;
  const startTime = fields[19];
  if (state === undefined || groupId === undefined || startTime === undefined) return undefined;
  return { state, groupId: Number(groupId), startTime };
}
