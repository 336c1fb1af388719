import { readFile, rename, writeFile } from 'node:fs/promises';
import type { z } from 'zod';

/** Writes atomically: a reader sees the old or the new content, never a part. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, path);
}

/** Undefined when the file does not exist or does not match the schema. */
export async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return undefined;
  }
}
