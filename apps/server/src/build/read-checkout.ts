import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises';
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
/** A build can write a million files. Only so many of a folder are listed, and the ones whose names matter. */
const MAX_ENTRIES = 20_000;
const MAX_BEGINNINGS = 200;
const INDEX = 'index.html';

/** Reads an untrusted checkout: links, pipes and huge files are treated as missing. */
export async function readCheckout(folder: string): Promise<Checkout> {
  const commands = (await plainEntries(folder, COMMANDS, 'isDirectory')).slice(0, MAX_COMMANDS);
  const listed = await Promise.all(
    [...FOLDERS, ...commands].map((name) => plainEntries(folder, name, 'isFile')),
  );
  const files = listed.flat();
  const beginnings = files.filter((name) => BEGINNING.test(name)).slice(0, MAX_BEGINNINGS);
  const read = [...files.filter((name) => WHOLE.has(name)), ...beginnings];
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
  const names: string[] = [];
  const isListed = (entry: Dirent) =>
    entry[wanted]() &&
    (names.length < MAX_ENTRIES || WHOLE.has(entry.name) || entry.name === INDEX);
  for await (const entry of await opendir(path, { bufferSize: 1_000 })) {
    if (isListed(entry)) names.push(entry.name);
  }
  return names.map((entry) => (name === '.' ? entry : `${name}/${entry}`));
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
