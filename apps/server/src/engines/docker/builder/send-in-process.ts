import { runProgram } from '../../../processes/run-program.ts';
import type { LayerRecord } from '../layer-records.ts';
import { fromProcessError } from './process-error.ts';
import type { SendImageJob, SendImageResult } from './send-image-program.ts';

const PROGRAM = new URL('send-image-program.ts', import.meta.url);
const MAX_MEMORY_MB = 128;

/**
 * In a process of its own: checking and copying an image takes seconds, in which the server has to respond to others, and apps come
 * first. `lowerPriority` gives the process the priority of the builder. Aborting ends it and closes its connections. Returns what the
 * copied layers unpack to.
 */
export async function sendInProcess(
  job: SendImageJob,
  lowerPriority: (pid: number) => Promise<void>,
  signal: AbortSignal,
): Promise<LayerRecord[]> {
  try {
    const result = await runProgram<SendImageJob, SendImageResult>(PROGRAM, job, {
      maxMemoryMb: MAX_MEMORY_MB,
      prepare: lowerPriority,
      signal,
    });
    if ('error' in result) throw fromProcessError(result.error);
    return result.sent;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
