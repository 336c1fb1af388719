import { pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from '../messages.ts';
import { loadHandler } from './load-handler.ts';
import { runCall } from './run-call.ts';
import { tellReadFiles } from './tell-read-files.ts';

/** The thread of one function. Whatever it does, the server's own thread goes on. */
await serve(parentPort as MessagePort, (workerData as ThreadData).file);

async function serve(port: MessagePort, file: string): Promise<void> {
  const tell = (message: FromThread, transfer: ReadableStream[] = []) =>
    // Streams can be handed over, which the types do not say yet.
    port.postMessage(message, transfer as unknown as MessagePort[]);
  tellReadFiles(tell);
  try {
    const { handler, methods } = await loadHandler(pathToFileURL(file).href);
    const running = new Map<number, AbortController>();
    port.on('message', (message: ToThread) => {
      if (message.kind === 'abort') return running.get(message.id)?.abort();
      const leaving = new AbortController();
      running.set(message.id, leaving);
      void runCall(message, { handler, tell, signal: leaving.signal }).finally(() => {
        running.delete(message.id);
        tell({ kind: 'ended', id: message.id });
      });
    });
    tell({ kind: 'loaded', methods });
  } catch (error) {
    tell({ kind: 'unusable', error: asError(error) });
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
