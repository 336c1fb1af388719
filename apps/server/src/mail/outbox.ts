import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Outbox = {
  /** Stores a message in its own file. The file name holds the time and the kind, but not the recipient. */
  put(kind: string, extension: 'eml' | 'json', content: string | Buffer): Promise<void>;
};

export type OutboxDeps = { folder: string; clock: { now(): number } };

/**
 * Stores messages in a folder if no mail server or SMS gateway is configured. The messages hold sign-in links, so only
 * the owner can read them.
 */
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

/** The lifetime of the longest-lived link in a mail. */
const MAX_AGE_MS = 30 * 86_400_000;

/** Removes messages whose links have expired. Other files stay. */
export async function removeOldMessages({ folder, clock }: OutboxDeps): Promise<void> {
  const names = await readdir(folder).catch(noneIfMissing);
  for (const name of names) {
    const writtenAt = timeOfMessage(name);
    if (writtenAt === undefined || writtenAt > clock.now() - MAX_AGE_MS) continue;
    await rm(join(folder, name), { force: true });
  }
}

const MESSAGE_NAME =
  /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[a-z-]+-[0-9a-f]{8}\.(?:eml|json)$/;

function timeOfMessage(name: string): number | undefined {
  const [, day, hour, minute, rest] = MESSAGE_NAME.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}${hour}:${minute}:${rest}`);
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Replaces characters that could move the terminal's cursor or start another line. */
export function toTerminalLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
}
