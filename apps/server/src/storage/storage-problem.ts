import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** An error in the format of Nhost's storage service. */
export class StorageProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly details: Record<string, unknown> | null;
  /** The files of an upload that were stored before the error. */
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

/** Also for files of other users. */
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

export function fileStoreDown(): StorageProblem {
  return new StorageProblem(503, 'the file store is not available, try again later');
}
