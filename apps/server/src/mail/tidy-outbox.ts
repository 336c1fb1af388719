import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

type TidyDeps = { folder: string; clock: { now(): number } };

/** As long as the longest link in a mail is good. Wire §2.5. */
const KEPT_FOR_MS = 30 * 86_400_000;

/** Removes messages whose links are worth nothing any more. What somebody else put there stays. */
export async function removeOldMessages({ folder, clock }: TidyDeps): Promise<void> {
  const names = await readdir(folder).catch(noneIfMissing);
  for (const name of names) {
    const writtenAt = timeOf(name);
    if (writtenAt === undefined || writtenAt > clock.now() - KEPT_FOR_MS) continue;
    await rm(join(folder, name), { force: true });
  }
}

const MESSAGE_NAME =
  /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[a-z-]+-[0-9a-f]{8}\.(?:eml|json)$/;

/** When a message was written, by its name. */
function timeOf(name: string): number | undefined {
  const [, day, hour, minute, rest] = MESSAGE_NAME.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}${hour}:${minute}:${rest}`);
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
