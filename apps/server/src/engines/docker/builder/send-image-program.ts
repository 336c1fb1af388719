import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { ArchiveOptions } from '../../../build/buildkit/image-archive.ts';
import type { BuiltImage } from '../../../build/buildkit/image-layout.ts';
import { createDockerApi } from '../docker-api.ts';
import type { LayerRecord } from '../layer-records.ts';
import { execInContainer } from './exec.ts';
import { type ProcessError, toProcessError } from './process-error.ts';
import { sendImage } from './send-image.ts';

export type SendImageJob = {
  socketPath: string;
  builder: { containerId: string; folder: string };
  image: BuiltImage;
  options: Omit<ArchiveOptions, 'measured'>;
};
export type SendImageResult = { sent: LayerRecord[] } | { error: ProcessError };

// Where it has no group of lower priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// The server has ended.
process.once('disconnect', () => process.exit(1));

const { signal } = new AbortController();
const [{ socketPath, builder, image, options }] = (await once(process, 'message')) as [
  SendImageJob,
];
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
  (error: unknown): SendImageResult => ({ error: toProcessError(error) }),
);
process.send?.(result);
