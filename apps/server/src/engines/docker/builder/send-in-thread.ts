import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LayerRecord } from '../layer-records.ts';
import type { SendImageJob, SendImageResult } from './send-image-thread.ts';
import { fromThreadError } from './thread-error.ts';

const THREAD = new URL('send-image-thread.ts', import.meta.url);
const THREAD_MEMORY_MB = 128;

/**
 * In a thread of its own: checking and copying an image takes seconds, in which the server has to respond to others. Aborting ends
 * the thread and closes its connections. Returns what the copied layers unpack to.
 */
export async function sendInThread(job: SendImageJob, signal: AbortSignal): Promise<LayerRecord[]> {
  signal.throwIfAborted();
  const resourceLimits = { maxOldGenerationSizeMb: THREAD_MEMORY_MB };
  const thread = new Worker(THREAD, { workerData: job, resourceLimits });
  try {
    const [result] = (await once(thread, 'message', { signal })) as [SendImageResult];
    if ('error' in result) throw fromThreadError(result.error);
    return result.sent;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
  }
}
