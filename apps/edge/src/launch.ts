import { lookup } from 'node:dns/promises';
import { accessSync, constants, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { LaunchRequest, LaunchResult, ListenerInfo } from '@longshore/edge-contract';
import { spawnKeeper, startKeeper } from './keeper/spawn-keeper.ts';
import { BindFailed, bindListeners } from './launch/bind-listeners.ts';
import { bindProblem, ownWorkers } from './launch/launch-problems.ts';
import { findOrphans, findPortHolders, type PortHolder } from './launch/port-holder.ts';

const READY_MS = 30_000;

await main();

/** Binds the listeners, as root if need be, and starts the keeper as its own user. Then this process ends. */
async function main(): Promise<void> {
  const result = await launch(await readRequest());
  process.stdout.write(`${JSON.stringify(result)}\n`, () =>
    process.exit(result.kind === 'launched' ? 0 : 1),
  );
}

async function readRequest(): Promise<LaunchRequest> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return JSON.parse(text) as LaunchRequest;
}

async function launch(request: LaunchRequest): Promise<LaunchResult> {
  const { folder, node, identity } = request;
  const problem = folderProblem(request);
  if (problem !== undefined) return { kind: 'failed', text: problem };
  const slots = availableParallelism();
  const requested = await Promise.all(request.listeners.map(withAddress));
  // Workers whose keeper was killed still serve. They end when the new ones listen.
  const leftOver = new Map(requested.map((it) => [it, ownWorkers(folder, holdersOf(it))]));
  const orphans = findOrphans(folder);
  const isOurs = (listener: ListenerInfo) => leftOver.get(listener)?.length !== 0;
  try {
    const { listeners, descriptors, close } = await bindListeners(requested, slots, isOurs);
    const program = dirname(import.meta.filename);
    const child = spawnKeeper({ node, program, folder, identity, descriptors });
    close();
    const result = await startKeeper(child, { kind: 'start', listeners, slots }, READY_MS);
    if (result.kind === 'failed') {
      return { kind: 'failed', text: `The edge did not start: ${result.text}` };
    }
    for (const pid of new Set([...leftOver.values(), orphans].flat().map((it) => it.pid))) end(pid);
    return { kind: 'launched', pid: result.pid, listeners };
  } catch (error) {
    if (!(error instanceof BindFailed)) throw error;
    return bindProblem(error, holdersOf(error.listener), folder);
  }
}

/** The user of the keeper must be able to write to the folder, and is never root. */
function folderProblem({ folder, identity }: LaunchRequest): string | undefined {
  const uid = identity?.uid ?? process.getuid?.();
  if (uid === 0) return 'The edge does not run as root: give it a user of its own.';
  try {
    if (statSync(folder).uid !== uid) return `The folder ${folder} does not belong to user ${uid}.`;
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return `The folder ${folder} is not writable: ${(error as Error).message}`;
  }
}

async function withAddress(listener: ListenerInfo): Promise<ListenerInfo> {
  return { ...listener, host: (await lookup(listener.host)).address };
}

function holdersOf({ port }: ListenerInfo): PortHolder[] {
  return port === 0 ? [] : findPortHolders(port);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}
