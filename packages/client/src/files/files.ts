import type { RequestResult } from '../http/request-result.ts';

export type FileToUpload = { file: Blob; name: string; id?: string };

export type FileMetadata = {
  id: string;
  name: string;
  size: number;
  bucketId: string;
  mimeType: string;
  [field: string]: unknown;
};

/** How the server resizes an image. */
export type ImageOptions = { width?: number; height?: number; quality?: number; blur?: number };

type Options = { signal?: AbortSignal };

export type Files = {
  upload(
    request: { files: FileToUpload[]; bucketId?: string },
    options?: Options,
  ): Promise<RequestResult<FileMetadata[]>>;
  download(fileId: string, image?: ImageOptions, options?: Options): Promise<RequestResult<Blob>>;
  presignedUrl(fileId: string, options?: Options): Promise<RequestResult<string>>;
  delete(fileId: string, options?: Options): Promise<RequestResult<undefined>>;
};
