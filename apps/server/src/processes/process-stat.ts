import { readFile } from 'node:fs/promises';

/** What tells a process from a later one with the same pid, and a live one from a zombie. */
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

/** A zombie has ended already; it only waits for its parent to notice. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readProcessStat(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

/** The program's name stands in brackets and may hold anything, so fields are counted from the last bracket. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , groupId] = fields;
  const startTime = fields[19];
  if (state === undefined || groupId === undefined || startTime === undefined) return undefined;
  return { state, groupId: Number(groupId), startTime };
}
