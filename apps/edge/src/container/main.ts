import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnKeeper, startKeeper } from '../keeper/spawn-keeper.ts';
import { bindListeners } from '../launch/bind-listeners.ts';
import { createControlRelay } from './control-relay.ts';
import { createHealthServer } from './health-server.ts';
import { containerSettings } from './settings.ts';
import { stopKeeper } from './stop-keeper.ts';

const FOLDER = '/var/lib/longshore/edge';
const CONTROL_PORT = 7443;
const HEALTH_PORT = 8081;
const READY_MS = 30_000;
/** Until no node sends connections to a pod that is not ready any more. */
const UNREADY_MS = 8_000;
/** A packet that comes later is refused by the pod. Once the pod is gone, nobody answers it. */
const REFUSE_MS = 3_000;

/** The edge as the main process of a container. The server connects to it over the network. */
export async function main(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the settings of the container.
  const { secret, listeners, leaveMs, drainMs } = containerSettings(process.env);
  let isLeaving = false;
  let isReady = true;
  // Process 1 ignores a signal without a handler. During the start there are no requests to finish.
  let leave = async (): Promise<void> => process.exit(0);
  process.once('SIGTERM', () => {
    isLeaving = true;
    void leave();
  });
  await mkdir(FOLDER, { recursive: true, mode: 0o700 });
  await writeFile(join(FOLDER, 'secret'), secret, { mode: 0o600 });
  const slots = availableParallelism();
  const bound = await bindListeners(listeners, slots);
  const { descriptors } = bound;
  const program = dirname(import.meta.filename);
  const keeper = spawnKeeper({ node: process.execPath, program, folder: FOLDER, descriptors });
  bound.close();
  const ended = once(keeper, 'exit');
  // A container that restarts has the routes of before.
  const mark = join(FOLDER, 'synced');
  let hasRoutes = existsSync(mark);
  const result = await startKeeper(keeper, { kind: 'start', listeners, slots }, READY_MS);
  if (result.kind === 'failed') throw new Error(`The edge did not start: ${result.text}`);

  const socket = join(FOLDER, 'control.sock');
  createControlRelay({
    secret,
    socket,
    onSynced() {
      if (hasRoutes) return;
      hasRoutes = true;
      writeFileSync(mark, '');
      process.stdout.write('The edge has the routes of all apps.\n');
    },
  }).listen(CONTROL_PORT);
  createHealthServer({
    isAlive: () => keeper.exitCode === null && keeper.signalCode === null,
    // Also while it leaves: the cluster prefers others by itself, and drops connections to a node whose only edge is not ready.
    isReady: () => hasRoutes && isReady,
  }).listen(HEALTH_PORT);
  const ports = listeners.map(({ port }) => port).join(' and ');
  process.stdout.write(`The edge is running: port ${ports}\n`);

  leave = async () => {
    await delay(leaveMs);
    isReady = false;
    await delay(UNREADY_MS);
    // A keeper that cannot be stopped has ended, or is of no use.
    await stopKeeper(socket, secret, drainMs).catch(() => keeper.kill());
  };
  await ended;
  if (!isLeaving) process.exit(1);
  await delay(REFUSE_MS);
  process.exit(0);
}
