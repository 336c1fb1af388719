import type { StorageDeps } from '../deps.ts';
import { type FormField, readForm } from './read-form.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';

/** A form whose files are in the store, though no row names them yet. */
export type Arrival = {
  files: ReceivedFile[];
  fields: FormField[];
  /** Says that a row may name the bytes from now on, even if the database cannot tell us any more. */
  claim(file: { key: string }): void;
  /** Says that no row does after all. */
  disclaim(file: { key: string }): void;
};

type Options<T> = {
  userId: string;
  fileField: string;
  /** Bytes of the user's that go when these stay. */
  freedBytes?: number;
  use(arrival: Arrival): Promise<T>;
};

/** Takes the files of a form into the store for as long as `use` runs; what it did not claim is removed. */
export async function receiveForm<T>(
  request: Request,
  { userId, fileField, freedBytes, use }: Options<T>,
  { store, quota, maxFileBytes, clock }: StorageDeps,
): Promise<T> {
  const allowance = await quota.begin(userId, freedBytes);
  const unclaimed = new Set<string>();
  try {
    const form = await readForm(request, {
      fileField,
      clock,
      async onFile(bytes, filename) {
        const deps = { store, allowance, maxBytes: maxFileBytes };
        const file = await receiveFile(bytes, filename, deps);
        unclaimed.add(file.key);
        return file;
      },
    });
    return await use({
      ...form,
      claim: ({ key }) => void unclaimed.delete(key),
      disclaim: ({ key }) => void unclaimed.add(key),
    });
  } finally {
    for (const key of unclaimed) await store.remove(key);
    allowance.end();
  }
}
