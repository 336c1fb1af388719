import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Outbox = {
  /** Keeps a message as a file of its own; the name says when it was written and nothing of whom it is for. */
  put(kind: string, extension: 'eml' | 'json', content: string | Buffer): Promise<void>;
};

export type OutboxDeps = { folder: string; clock: { now(): number } };

/** A folder for messages that nobody delivers. They hold links that sign people in: only the owner can read them. */
export function createOutbox({ folder, clock }: OutboxDeps): Outbox {
  return {
    async put(kind, extension, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const time = new Date(clock.now()).toISOString().replaceAll(':', '-');
      const name = `${time}-${kind}-${randomBytes(4).toString('hex')}.${extension}`;
      await writeFile(join(folder, name), content, { mode: 0o600, flag: 'wx' });
    },
  };
}
