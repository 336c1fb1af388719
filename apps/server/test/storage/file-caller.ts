import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { type Backend, bearer } from '../backend.ts';

export type FileMetadata = { id: string; etag: string; [field: string]: unknown };
export type UploadAnswer = {
  processedFiles?: FileMetadata[];
  error?: { message: string; data: unknown };
};

const PATH = '/v1/storage';

/** Asks the storage service as one person. */
export function fileCaller(backend: Backend, session: Session) {
  const ask = (path: string, init: RequestInit = {}) =>
    Promise.resolve(
      backend.app.request(PATH + path, {
        ...init,
        headers: { ...bearer(session), ...init.headers },
      }),
    );
  return {
    ask,
    send: (form: FormData, headers: Record<string, string> = {}) =>
      backend.ask<UploadAnswer>(`${PATH}/files`, {
        method: 'POST',
        body: form,
        headers: { ...bearer(session), ...headers },
      }),
    async upload(text: string | Uint8Array<ArrayBuffer>, name = 'a.txt'): Promise<FileMetadata> {
      const form = new FormData();
      form.append('file[]', new Blob([text]), name);
      const response = await ask('/files', { method: 'POST', body: form });
      const { processedFiles } = (await response.json()) as { processedFiles: FileMetadata[] };
      return processedFiles[0] as FileMetadata;
    },
  };
}

/** Names of everything on the disk: half written, and kept. */
export async function filesOnDisk({ folder }: Backend): Promise<string[]> {
  const folders = ['incoming', 'kept'].map((name) => join(folder, 'files', name));
  return (await Promise.all(folders.map((path) => readdir(path)))).flat();
}
