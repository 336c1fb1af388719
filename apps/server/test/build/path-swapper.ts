import { Worker } from 'node:worker_threads';

/** Replaces a folder by a link and back, as fast as possible, in its own thread. */
export function startSwapping(folder: string, target: string): { stop(): Promise<void> } {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SWAP, { eval: true, workerData: { folder, target, stopped } });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return {
    async stop() {
      Atomics.store(stopped, 0, 1);
      await exited;
    },
  };
}

/** Ends with the folder at its place. */
const SWAP = `
  const { renameSync, symlinkSync } = require('node:fs');
  const { folder, target, stopped } = require('node:worker_threads').workerData;
  const [aside, link] = [folder + '-aside', folder + '-link'];
  symlinkSync(target, link);
  while (Atomics.load(stopped, 0) === 0) {
    renameSync(folder, aside);
    renameSync(link, folder);
    renameSync(folder, link);
    renameSync(aside, folder);
  }
`;
