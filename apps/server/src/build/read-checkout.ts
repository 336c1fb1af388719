import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from './build-plan.ts';

const MAX_MANIFEST_BYTES = 1_048_576;
/** Folders that detection looks at; deeper ones only for Go commands. */
const FOLDERS = ['.', 'public', 'dist', 'build', 'out'];
const COMMANDS = 'cmd';
const MAX_COMMANDS = 20;

/** Files that are read as a whole. */
const WHOLE = new Set(
  'Dockerfile Procfile package.json .yarnrc.yml requirements.txt pyproject.toml Pipfile manage.py main.py app.py go.mod'.split(
    ' ',
  ),
);
/** Files of which only the beginning is read. */
const BEGINNING = /^(?:pnpm-lock\.yaml|yarn\.lock|[^/]+\.go)$/;
const BEGINNING_BYTES = 4_096;

/** Reads an untrusted checkout: links, pipes and huge files are treated as missing. */
export async function readCheckout(folder: string): Promise<Checkout> {
  const commands = (await plainEntries(folder, COMMANDS, 'isDirectory')).slice(0, MAX_COMMANDS);
  const listed = await Promise.all(
    [...FOLDERS, ...commands].map((name) => plainEntries(folder, name, 'isFile')),
  );
  const files = listed.flat();
  const read = files.filter((name) => WHOLE.has(name) || BEGINNING.test(name));
  const texts: Record<string, string> = {};
  for (const name of read) {
    const text = await plainText(join(folder, name), WHOLE.has(name) ? whole : beginning);
    if (text !== undefined) texts[name] = text;
  }
  return { files, texts };
}

async function plainEntries(
  folder: string,
  name: string,
  wanted: 'isFile' | 'isDirectory',
): Promise<string[]> {
  const path = join(folder, name);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isDirectory()) return [];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry[wanted]())
    .map((entry) => (name === '.' ? entry.name : `${name}/${entry.name}`));
}

type Reader = (file: FileHandle, bytes: number) => Promise<string | undefined>;

async function plainText(path: string, read: Reader): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    return stats.isFile() ? await read(file, stats.size) : undefined;
  } finally {
    await file.close();
  }
}

const whole: Reader = async (file, bytes) =>
  bytes > MAX_MANIFEST_BYTES ? undefined : await file.readFile('utf8');

const beginning: Reader = async (file) => {
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(BEGINNING_BYTES),
    0,
    BEGINNING_BYTES,
    0,
  );
  return buffer.toString('utf8', 0, bytesRead);
};
