import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A refusal as the public clients of the storage service read it. Wire protocol §6. */
export class StorageProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly details: Record<string, unknown> | null;
  /** What an upload had done before it was refused. */
  processed: unknown[] | undefined;

  constructor(
    status: ContentfulStatusCode,
    message: string,
    { details, cause }: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'StorageProblem';
    this.status = status;
    this.details = details ?? null;
  }

  withProcessed(files: unknown[]): this {
    this.processed = files;
    return this;
  }
}

export function storageProblemBody({ message, details, processed }: StorageProblem) {
  const files = processed === undefined ? {} : { processedFiles: processed };
  return { ...files, error: { message, data: details } };
}

/** A file of somebody else is as absent as one that never was. */
export function fileNotFound(): StorageProblem {
  return new StorageProblem(404, 'file not found');
}

export function bucketNotFound(): StorageProblem {
  return new StorageProblem(404, 'bucket not found');
}

export function notAuthorized(): StorageProblem {
  return new StorageProblem(403, 'you are not authorized');
}

export function fileTooBig(filename: string, size: number, maxSize: number): StorageProblem {
  return new StorageProblem(400, 'file too big', { details: { filename, size, maxSize } });
}

export function fileTooSmall(filename: string, size: number, minSize: number): StorageProblem {
  return new StorageProblem(400, 'file too small', { details: { filename, size, minSize } });
}

export function undecodableMetadata(cause?: unknown): StorageProblem {
  return new StorageProblem(400, "couldn't decode metadata", { cause });
}

export function overQuota(maxSize: number): StorageProblem {
  return new StorageProblem(403, 'storage quota exceeded', { details: { maxSize } });
}
