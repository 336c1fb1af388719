import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { type Backend, bearer } from '../backend.ts';

export type FileMetadata = { id: string; etag: string; [field: string]: unknown };
export type UploadResponse = {
  processedFiles?: FileMetadata[];
  error?: { message: string; data: unknown };
};

const PATH = '/v1/storage';

/** A client of the storage service that is signed in as one user. */
export function fileClient(backend: Backend, session: Session) {
  const request = (path: string, init: RequestInit = {}) =>
    Promise.resolve(
      backend.app.request(PATH + path, {
        ...init,
        headers: { ...bearer(session), ...init.headers },
      }),
    );
  return {
    request,
    send: (form: FormData, headers: Record<string, string> = {}) =>
      backend.request<UploadResponse>(`${PATH}/files`, {
        method: 'POST',
        body: form,
        headers: { ...bearer(session), ...headers },
      }),
    async upload(text: string | Uint8Array<ArrayBuffer>, name = 'a.txt'): Promise<FileMetadata> {
      const form = new FormData();
      form.append('file[]', new Blob([text]), name);
      const response = await request('/files', { method: 'POST', body: form });
      const { processedFiles } = (await response.json()) as { processedFiles: FileMetadata[] };
      return processedFiles[0] as FileMetadata;
    },
  };
}

/** Names of all files on disk, unfinished ones included. */
export async function filesOnDisk({ folder }: Backend): Promise<string[]> {
  const folders = ['incoming', 'kept'].map((name) => join(folder, 'files', name));
  return (await Promise.all(folders.map((path) => readdir(path)))).flat();
}
