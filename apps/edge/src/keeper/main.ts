import { closeSync } from 'node:fs';
import { monotonicClock } from '@longshore/edge-contract';
import { FIRST_DESCRIPTOR } from '../worker/worker-messages.ts';
import { openEdgeFolder } from './edge-folder.ts';
import { predecessorChannel, successorOf } from './handover.ts';
import { createKeeper } from './keeper.ts';
import type { KeeperReady, KeeperStart } from './keeper-messages.ts';
import { spawnKeeper, startKeeper } from './spawn-keeper.ts';
import { spawnWorker } from './spawn-worker.ts';

const STOP_DRAIN_MS = 10_000;
const READY_MS = 30_000;

const [, , path = '.'] = process.argv;

process.once('message', (start: KeeperStart) => void run(start));

async function run(start: KeeperStart): Promise<void> {
  const folder = openEdgeFolder(path);
  process.on('uncaughtException', (error) => {
    folder.log(`error: ${error.stack}`);
    process.exit(1);
  });
  const descriptors = start.listeners
    .flatMap(() => Array.from({ length: start.slots }))
    .map((_, index) => FIRST_DESCRIPTOR + index);
  const isReplacement = start.handover !== undefined;
  const keeper = createKeeper({
    clock: monotonicClock,
    folder,
    start,
    spawnWorker: (positions) =>
      spawnWorker(
        path,
        positions.flatMap((position) => descriptors[position] ?? []),
      ),
    predecessor: isReplacement ? predecessorChannel() : undefined,
    async startSuccessor({ node, program }, successorStart) {
      const child = spawnKeeper({ node, program, folder: path, descriptors });
      const result = await startKeeper(child, successorStart, READY_MS);
      if (result.kind === 'failed') throw new Error(result.text);
      return successorOf(child);
    },
    closeListeners() {
      for (const descriptor of descriptors) closeSync(descriptor);
    },
    onEnd: () => process.exit(),
  });
  process.on('SIGTERM', () => void keeper.stop(STOP_DRAIN_MS));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  await keeper.start();
  const ready: KeeperReady = { kind: 'ready', pid: process.pid };
  process.send?.(ready, undefined, undefined, () => {
    if (!isReplacement) process.disconnect();
  });
}
