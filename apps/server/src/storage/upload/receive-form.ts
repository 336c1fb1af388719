import type { StorageDeps } from '../deps.ts';
import { type FormField, readForm } from './read-form.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';

/** A form whose files are stored, although no row references them yet. */
export type ReceivedForm = {
  files: ReceivedFile[];
  fields: FormField[];
  /** To be called before a row is written: the bytes stay, even if the result of the write is unknown. */
  keep(file: { key: string }): void;
  /** No row was written: the bytes are removed. */
  discard(file: { key: string }): void;
};

type Options<T> = {
  userId: string;
  fileField: string;
  /** Bytes that the upload replaces. */
  freedBytes?: number;
  use(form: ReceivedForm): Promise<T>;
};

/** Stores the files of a form, runs `use`, and removes the files that it did not keep. */
export async function receiveForm<T>(
  request: Request,
  { userId, fileField, freedBytes, use }: Options<T>,
  { store, quota, maxFileBytes, clock }: StorageDeps,
): Promise<T> {
  const reservation = await quota.reserve(userId, freedBytes);
  const unreferenced = new Set<string>();
  try {
    const form = await readForm(request, {
      fileField,
      clock,
      async onFile(bytes, filename) {
        const deps = { store, reservation, maxBytes: maxFileBytes };
        const file = await receiveFile(bytes, filename, deps);
        unreferenced.add(file.key);
        return file;
      },
    });
    return await use({
      ...form,
      keep: ({ key }) => void unreferenced.delete(key),
      discard: ({ key }) => void unreferenced.add(key),
    });
  } finally {
    for (const key of unreferenced) await store.remove(key);
    reservation.end();
  }
}
