import { readFileSync, readlinkSync } from 'node:fs';
import { listProcesses } from '../../../src/processes/process-table.ts';

/**
 * The pid on the machine of a process of an app. `pid` is what the app itself sees; `firstProcess` is any process of its
 * sandbox, by its pid on the machine.
 */
export function hostPid(pid: number, firstProcess: number): number {
  const namespace = namespaceOf(firstProcess);
  const found = listProcesses().find(
    (entry) => namespaceOf(entry.pid) === namespace && innermostPid(entry.pid) === pid,
  );
  if (found === undefined) throw new Error(`The sandbox has no process ${pid}`);
  return found.pid;
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function innermostPid(pid: number): number | undefined {
  try {
    const pids = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(pids?.split(/\s+/).at(-1));
  } catch {
    return undefined;
  }
}
