import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ArchiveOptions } from '../../../build/buildkit/image-archive.ts';
import type { BuiltImage } from '../../../build/buildkit/image-layout.ts';
import { createDockerApi } from '../docker-api.ts';
import type { LayerRecord } from '../layer-records.ts';
import { execInContainer } from './exec.ts';
import { sendImage } from './send-image.ts';
import { type ThreadError, toThreadError } from './thread-error.ts';

export type SendImageJob = {
  socketPath: string;
  builder: { containerId: string; folder: string };
  image: BuiltImage;
  options: Omit<ArchiveOptions, 'measured'>;
};
export type SendImageResult = { sent: LayerRecord[] } | { error: ThreadError };

// On Linux, this is the priority of the thread.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { signal } = new AbortController();
const { socketPath, builder, image, options } = workerData as SendImageJob;
const docker = createDockerApi(socketPath);
const result = await sendImage(
  {
    folder: builder.folder,
    start: (command) => execInContainer(builder.containerId, command, { docker }, signal),
  },
  image,
  options,
  docker,
  signal,
).then(
  (sent): SendImageResult => ({ sent }),
  (error: unknown): SendImageResult => ({ error: toThreadError(error) }),
);
parentPort?.postMessage(result);
