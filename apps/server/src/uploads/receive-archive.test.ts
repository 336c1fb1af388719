import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { archiveOf, type Member, paxHeader, tarOf } from '../../test/uploads/archives.ts';
import { receiveArchive } from './receive-archive.ts';

const LIMITS = { maxReceivedBytes: 1_000_000, maxBytes: 2_000_000, maxEntries: 50, maxDepth: 5 };
const FILE: Member = { path: 'index.html', content: 'Hi' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-upload-'));
});
afterEach(() => rm(folder, { recursive: true }));

const path = () => join(folder, 'archive.tar.gz');

function receive(
  archive: Buffer,
  { chunkBytes = 1_000, signal = new AbortController().signal } = {},
) {
  const chunks = function* () {
    for (let at = 0; at < archive.length; at += chunkBytes) {
      yield archive.subarray(at, at + chunkBytes);
    }
  };
  return receiveArchive(Readable.from(chunks()), path(), { limits: LIMITS, signal });
}

/** Unpacks what was written. */
async function unpack(): Promise<string> {
  const target = join(folder, 'unpacked');
  await mkdir(target);
  execFileSync('tar', ['--extract', '--gzip', `--file=${path()}`], { cwd: target });
  return target;
}

describe('an archive', () => {
  it('of GNU tar is written with its files, folders and links', async () => {
    const source = join(folder, 'source');
    const long = `${'deep'.repeat(30)}/${'name'.repeat(30)}.txt`;
    await mkdir(join(source, 'bin'), { recursive: true });
    await mkdir(join(source, 'deep'.repeat(30)));
    await writeFile(join(source, 'bin/run'), '#!/bin/sh\n', { mode: 0o755 });
    await writeFile(join(source, long), 'long');
    await writeFile(join(source, 'ü.bin'), Buffer.alloc(300_000, 7));
    execFileSync('ln', ['-s', '../bin/run', join(source, 'bin/link')]);
    for (const format of ['gnu', 'pax', 'ustar']) {
      if (format === 'ustar') await rm(join(source, 'deep'.repeat(30)), { recursive: true });
      const archive = execFileSync('tar', ['-cz', `--format=${format}`, '.'], { cwd: source });
      const digest = createHash('sha256').update(archive).digest('hex');
      const files = format === 'ustar' ? 2 : 3;
      expect(await receive(archive)).toEqual({ digest, bytes: archive.length, files });
      const target = await unpack();
      expect((await stat(join(target, 'bin/run'))).mode & 0o777).toBe(0o755);
      expect((await stat(join(target, 'ü.bin'))).size).toBe(300_000);
      expect(await readlink(join(target, 'bin/link'))).toBe('../bin/run');
      if (format !== 'ustar') expect(await readFile(join(target, long), 'utf8')).toBe('long');
      await rm(target, { recursive: true });
      await rm(path());
    }
  });

  it.each<[string, Member[], string[]]>([
    [
      'with ./ before its paths',
      [
        { path: './', type: '5' },
        { ...FILE, path: './a' },
      ],
      ['a'],
    ],
    ['with a folder that is listed twice', [dir('a/'), dir('a'), FILE], ['a', 'index.html']],
    [
      'of git, with a comment for all files',
      [paxHeader({ comment: 'c' }, 'g'), FILE],
      ['index.html'],
    ],
    ['with a setgid folder', [{ ...dir('a'), mode: 0o2775 }, FILE], ['a', 'index.html']],
    ['with a file in the oldest form', [{ ...FILE, type: '\0' }], ['index.html']],
    [
      'with a size in a pax header',
      [paxHeader({ size: '2' }), { ...FILE, size: 0 }],
      ['index.html'],
    ],
    ['with a link to itself', [link('a', 'a'), FILE], ['a', 'index.html']],
    ['with a link to a folder above', [link('a/b/c', '../../x'), FILE], ['a', 'index.html']],
  ])('%s is accepted', async (_, members, names) => {
    await receive(archiveOf(members), { chunkBytes: 7 });
    expect((await readdir(await unpack())).sort()).toEqual(names);
  });

  it.each<[string, Member[], string]>([
    ['a hard link', [FILE, { path: 'a', type: '1', link: 'index.html' }], 'a is a hard link'],
    ['a character device', [FILE, { path: 'a', type: '3' }], 'a is a character device'],
    ['a block device', [FILE, { path: 'a', type: '4' }], 'a is a block device'],
    ['a named pipe', [FILE, { path: 'a', type: '6' }], 'a is a named pipe'],
    ['a sparse file', [FILE, { path: 'a', type: 'S' }], 'a is a sparse file'],
    [
      'a sparse file of pax',
      [paxHeader({ 'GNU.sparse.major': '1' }), FILE],
      'Sparse files are not',
    ],
    ['an unknown type', [FILE, { path: 'a', type: 'Z' }], 'a has an unknown type'],
    [
      'a setuid file',
      [{ ...FILE, mode: 0o4755 }],
      'index.html has the setuid or setgid permission',
    ],
    [
      'a setgid file',
      [{ ...FILE, mode: 0o2755 }],
      'index.html has the setuid or setgid permission',
    ],
    ['an absolute path', [{ ...FILE, path: '/etc/passwd' }], '/etc/passwd has an absolute path'],
    ['an absolute path of pax', [paxHeader({ path: '/a' }), FILE], '/a has an absolute path'],
    ['an absolute long name', [gnuLong('L', '/a'), FILE], '/a has an absolute path'],
    ['a path with ..', [{ ...FILE, path: 'a/../../b' }], 'a/../../b has .. in its path'],
    ['a path that ends with ..', [{ ...dir('a/..') }, FILE], 'a/.. has .. in its path'],
    ['a null character in a path', [paxHeader({ path: 'a\0b' }), FILE], 'has a null character'],
    ['a file without a name', [{ ...FILE, path: './.' }], './. has no name'],
    [
      'a name that is too long',
      [gnuLong('L', 'x'.repeat(256)), FILE],
      'has a name that is too long',
    ],
    [
      'a path that is too long',
      [gnuLong('L', 'x/'.repeat(600)), FILE],
      'has a path that is too long',
    ],
    ['too many folders', [{ ...FILE, path: 'a/b/c/d/e/f' }], 'is more than 5 folders deep'],
    ['a link to an absolute path', [link('a', '/etc')], 'a is a link to a path outside'],
    ['a link out of the archive', [link('a', '../b')], 'a is a link to a path outside'],
    ['a deep link out of the archive', [link('a/b', '../../c')], 'a/b is a link to a path outside'],
    [
      'a link through another link',
      [link('p', '.'), link('q', 'p/p/../..')],
      'q is a link to a path',
    ],
    [
      'a long link out of it',
      [gnuLong('K', '../x'), link('a', 'b')],
      'a is a link to a path outside',
    ],
    ['a link without a target', [link('a', '')], 'a is a link to a path outside'],
    ['a file behind a link', [link('a', 'b'), { ...FILE, path: 'a/c' }], 'a/c is inside a, a link'],
    ['a file in place of a link', [link('a', 'b'), { ...FILE, path: 'a' }], 'a is listed twice'],
    ['a link in place of a folder', [dir('a'), link('a', 'b')], 'a is listed twice'],
    [
      'a link in place of a parent',
      [{ ...FILE, path: 'a/b' }, link('a', 'c')],
      'a is listed twice',
    ],
    ['a folder in place of a link', [link('a', 'b'), dir('a')], 'a is listed twice'],
    [
      'a file below a file',
      [FILE, { ...FILE, path: 'index.html/a' }],
      'is inside index.html, a file',
    ],
    ['the same file twice', [FILE, FILE], 'index.html is listed twice'],
    ['nothing', [], 'The archive contains no files'],
    ['only folders', [dir('a')], 'The archive contains no files'],
    ['a path for all files', [paxHeader({ path: '/a' }, 'g'), FILE], 'A header for all files sets'],
    [
      'a damaged pax header',
      [{ path: 'p', type: 'x', content: '99 a=b\n' }, FILE],
      'A header is damaged',
    ],
    ['a negative size', [paxHeader({ size: '-1' }), FILE], 'A header is damaged'],
  ])('with %s is refused', async (_, members, message) => {
    await expect(receive(archiveOf(members))).rejects.toThrow(message);
  });

  it.each<[string, Buffer, string]>([
    ['is not compressed', tarOf([FILE]), 'The file is not a .tar.gz archive'],
    ['is text', Buffer.from('hello'), 'The file is not a .tar.gz archive'],
    ['is empty', Buffer.alloc(0), 'its end is missing'],
    ['is a compressed text', gzipSync('hello'), 'its end is missing'],
    ['is a compressed long text', gzipSync('hello'.repeat(500)), 'The file is not a tar archive'],
    ['is cut off', archiveOf([FILE]).subarray(0, 60), 'its end is missing'],
    ['has no end', gzipSync(tarOf([FILE], { hasEnd: false })), 'its end is missing'],
    ['ends in a file', gzipSync(tarOf([{ ...FILE, size: 9_999 }])), 'its end is missing'],
    ['has a wrong checksum', gzipSync(Buffer.alloc(2_048, 'x')), 'The file is not a tar archive'],
    [
      'has data after its end',
      gzipSync(Buffer.concat([tarOf([FILE]), Buffer.alloc(1_100_000)])),
      'more data after the end',
    ],
  ])('that %s is refused', async (_, archive, message) => {
    await expect(receive(archive)).rejects.toThrow(message);
  });

  it.each<[string, () => Buffer, string]>([
    [
      'a small archive of many bytes',
      () => archiveOf([{ path: 'a', content: Buffer.alloc(2_000_001) }]),
      'more than 1 MB when it is unpacked',
    ],
    [
      'a file that claims to be huge',
      () => archiveOf([{ path: 'a', size: 8 ** 11 - 1 }]),
      'more than 1 MB when it is unpacked',
    ],
    [
      'many entries',
      () => archiveOf(Array.from({ length: 51 }, (_, at) => ({ path: `f${at}`, content: '' }))),
      'more than 50 files and folders',
    ],
    [
      'many empty members',
      () => archiveOf(Array.from({ length: 51 }, () => dir('./'))),
      'more than 50 files and folders',
    ],
    ['a huge header', () => archiveOf([{ path: 'p', type: 'x', size: 2_000_000 }]), 'too large'],
    [
      'more bytes than allowed',
      () => Buffer.concat([archiveOf([FILE]), Buffer.alloc(1_000_000)]),
      'larger than 0 MB',
    ],
  ])('with %s is refused', async (_, archive, message) => {
    await expect(receive(archive())).rejects.toThrow(message);
  });

  it('is not received any further after an abort', async () => {
    const aborting = new AbortController();
    const receiving = receive(archiveOf([FILE]), { signal: aborting.signal, chunkBytes: 1 });
    aborting.abort();
    await expect(receiving).rejects.toThrow('aborted');
  });

  it('of random bytes is refused without an unexpected error', async () => {
    const piece = fc.oneof(
      fc.constantFrom(tarOf([FILE], { hasEnd: false }), Buffer.alloc(512), tarOf([link('a', 'b')])),
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const error = await receive(gzipSync(Buffer.concat(pieces))).catch((it: Error) => it);
        await rm(path(), { force: true });
        expect(error instanceof Error ? error.name : 'received').toMatch(
          /^(ArchiveProblem|received)$/,
        );
      }),
      { numRuns: 100 },
    );
  });
});

function dir(name: string): Member {
  return { path: name, type: '5', mode: 0o755 };
}

function link(name: string, target: string): Member {
  return { path: name, type: '2', link: target };
}

function gnuLong(type: 'L' | 'K', content: string): Member {
  return { path: '././@LongLink', type, content: `${content}\0` };
}
