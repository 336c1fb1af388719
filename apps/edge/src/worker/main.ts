import { monotonicClock, processMemory } from '@longshore/edge-contract';
import { createFolderCheck } from '../folder-check.ts';
import { watchOrphan } from './orphan-watch.ts';
import { createEdgeWorker } from './worker.ts';
import type { KeeperToWorker, WorkerToKeeper } from './worker-messages.ts';

const DRAIN_MS = 10_000;

const worker = createEdgeWorker({
  clock: monotonicClock,
  memory: processMemory,
  send,
});
const [, , path = '.'] = process.argv;
const isFolderGone = createFolderCheck(path);
let isStopping = false;
let isListening = false;
let isFailing = false;

process.on('message', (message: KeeperToWorker) => {
  const done = worker.receive(message);
  if (message.kind === 'stop') void done.then(exit);
});
process.on('disconnect', () => watchOrphan({ clock: monotonicClock, isFolderGone, stop }));
// Requests of other visitors go on until the next worker listens.
process.on('uncaughtException', (error) => {
  if (!isListening) throw error;
  if (!isFailing) send({ kind: 'failing', text: String(error.stack) });
  isFailing = true;
});
process.on('SIGTERM', stop);
// Of a terminal, meant for the server.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

function send(message: WorkerToKeeper): void {
  if (message.kind === 'listening') isListening = true;
  // The keeper may be gone: then nobody needs to know.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  void worker.stop(DRAIN_MS).then(exit);
}

/** After everything that was sent to the keeper has been written. */
function exit(): void {
  if (process.connected) process.once('disconnect', () => process.exit()).disconnect();
  else process.exit();
}
