import { open, stat } from 'node:fs/promises';
import type { HostCommands } from './host-commands.ts';

/** An open network namespace. The path stays valid when its process exits, also if another process takes over the pid. */
export type OpenNamespace = { path: string; close(): Promise<void> };

/** Rejects when the process has the network namespace of the machine: commands for the process would change the machine. */
export async function openOwnNamespace(
  pid: number,
  { namespaceFile }: Pick<HostCommands, 'namespaceFile'>,
): Promise<OpenNamespace> {
  const namespace = await open(`/proc/${pid}/ns/net`);
  const [ofProcess, ofMachine] = [await namespace.stat(), await stat(namespaceFile)];
  if (ofProcess.ino === ofMachine.ino) {
    await namespace.close();
    throw new Error(`Process ${pid} has no network namespace of its own`);
  }
  return { path: `/proc/${process.pid}/fd/${namespace.fd}`, close: () => namespace.close() };
}
