import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readKeyFile } from '../secrets/key-file.ts';
import { connectToEdge } from './control-connection.ts';
import { edgeProcesses, killEdgeProcesses } from './edge-processes.ts';
import { EDGE_FOLDER, SECRET_FILE } from './install-edge.ts';

type StopEdgeOptions = { dataDir: string; keysFolder: string };

const DRAIN_MS = 10_000;
const STOP_MS = 15_000;
const CHECK_MS = 50;

/** Lets requests in flight finish, then ends the edge. Returns whether one was running. */
export async function stopEdge({ dataDir, keysFolder }: StopEdgeOptions): Promise<boolean> {
  const folder = join(dataDir, EDGE_FOLDER);
  if (edgeProcesses(folder).length === 0) return false;
  await askToStop(folder, await readKeyFile(keysFolder, SECRET_FILE));
  const until = performance.now() + STOP_MS;
  while (performance.now() < until && edgeProcesses(folder).length > 0) {
    await delay(CHECK_MS);
  }
  await killEdgeProcesses(edgeProcesses(folder));
  return true;
}

/** One that does not answer is killed. */
async function askToStop(folder: string, secret: string | undefined): Promise<void> {
  if (secret === undefined) return;
  const target = { folder, secret, installation: '' };
  const connection = await connectToEdge(target, () => {}).catch(() => 'absent' as const);
  if (typeof connection === 'string') await killEdgeProcesses(edgeProcesses(folder));
  else connection.send({ kind: 'stop', drainMs: DRAIN_MS });
}
