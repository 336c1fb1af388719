import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetchBench, type FetchBench, GIT_MODES } from '../../test/build/fetch-bench.ts';
import { archiveOf, type Member } from '../../test/uploads/archives.ts';
import { receiveArchive } from '../uploads/receive-archive.ts';
import { archivePath, incomingFolder } from './unpack-upload.ts';

const DIGEST = 'a'.repeat(64);
const LIMITS = { maxReceivedBytes: 1e6, maxBytes: 1e6, maxEntries: 100, maxDepth: 10 };
const { signal } = new AbortController();

describe.each(GIT_MODES)('tar %s', (mode) => {
  let bench: FetchBench;
  beforeAll(async () => {
    bench = await createFetchBench(mode);
  });
  afterAll(() => bench.close());

  /** Stores an archive for an app of its own; returns its id. */
  async function store(appId: string, write: (path: string) => Promise<unknown>): Promise<void> {
    const path = archivePath(bench.dataDir, appId, DIGEST);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await write(path);
  }

  const unpack = (appId: string) => bench.fetch(`upload:${DIGEST}`, { appId });

  it('unpacks an upload as the user of the app', async () => {
    const archive = archiveOf([
      { path: 'bin/run', content: 'run', mode: 0o755 },
      { path: 'bin/link', type: '2', link: 'run' },
    ]);
    await store('good', (path) =>
      receiveArchive(Readable.from([archive]), path, { limits: LIMITS, signal }),
    );
    const { revision, folder } = await unpack('good');
    expect(revision).toBe(DIGEST);
    expect(await readFile(join(folder, 'bin/link'), 'utf8')).toBe('run');
    const { uid, mode: permissions } = await stat(join(folder, 'bin/run'));
    expect(permissions & 0o777).toBe(0o755);
    expect(uid).toBe((await stat(folder)).uid);
    expect(bench.lines.at(-1)).toBe(`Unpacked the uploaded source ${DIGEST}`);
  });

  it('knows only the archives of the app itself', async () => {
    await store('ada', (path) => writeFile(path, archiveOf([{ path: 'a', content: 'a' }])));
    await expect(unpack('eve')).rejects.toMatchObject({ reason: 'upload-missing' });
  });

  it('unpacks a copy of an archive that is elsewhere, and removes it', async () => {
    const archive = archiveOf([{ path: 'a', content: 'elsewhere' }]);
    const incoming = incomingFolder(bench.dataDir);
    await mkdir(incoming, { recursive: true });
    const options = {
      appId: 'elsewhere',
      async downloadUpload({ appId, digest }: { appId: string; digest: string }, path: string) {
        expect({ appId, digest }).toEqual({ appId: 'elsewhere', digest: DIGEST });
        await writeFile(path, archive, { mode: 0o644 });
        return true;
      },
    };
    const { folder } = await bench.fetch(`upload:${DIGEST}`, options);
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('elsewhere');
    expect(await readdir(incoming)).toEqual([]);
    const missing = { ...options, downloadUpload: async () => false };
    await expect(bench.fetch(`upload:${DIGEST}`, missing)).rejects.toMatchObject({
      reason: 'upload-missing',
    });
    const failing = {
      ...options,
      async downloadUpload(_: unknown, path: string) {
        await writeFile(path, 'half');
        throw new Error('broken');
      },
    };
    await expect(bench.fetch(`upload:${DIGEST}`, failing)).rejects.toThrow('broken');
    expect(await readdir(incoming)).toEqual([]);
  });

  /** Such archives are refused when they are uploaded. */
  it.each<[string, (outside: string) => Member[]]>([
    ['an absolute path', (outside) => [{ path: join(outside, 'stolen'), content: 'x' }]],
    ['a path with ..', () => [{ path: '../stolen', content: 'x' }]],
    [
      'a link out of it',
      (outside) => [
        { path: 'a', type: '2', link: outside },
        { path: 'a/stolen', content: 'x' },
      ],
    ],
    ['a setuid file', () => [{ path: 'a', content: 'x', mode: 0o4755 }]],
  ])('writes nothing outside for %s', async (name, members) => {
    const appId = `app-${name.length}`;
    const outside = join(bench.root, 'outside');
    await mkdir(outside, { recursive: true, mode: 0o777 });
    await store(appId, (path) => writeFile(path, archiveOf(members(outside))));
    const folder = await unpack(appId).then(
      (unpacked) => unpacked.folder,
      () => undefined,
    );
    expect(existsSync(join(outside, 'stolen'))).toBe(false);
    if (folder === undefined) return;
    expect(existsSync(join(dirname(folder), 'stolen'))).toBe(false);
    const file = await stat(join(folder, 'a')).catch(() => undefined);
    expect((file?.mode ?? 0) & 0o6000).toBe(0);
  });
});
