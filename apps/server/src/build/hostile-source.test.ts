import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFetchBench, type FetchBench, GIT_MODES } from '../../test/build/fetch-bench.ts';
import {
  type HostileRepository,
  packetLine,
  startHostileGitHost,
} from '../../test/build/hostile-git-host.ts';
import {
  deltas,
  FILE,
  nestedFolders,
  repositoryOf,
  repositoryWith,
  zeros,
} from '../../test/build/hostile-repositories.ts';
import { idOf, objectOf } from '../../test/build/pack-writer.ts';
import type { FetchOptions } from './fetch-source.ts';
import { GIT_RESOURCES } from './git-limits.ts';

const GIBIBYTE = 1024 ** 3;
const LIMITS = { fetchMs: 60_000, checkoutBytes: GIBIBYTE, checkoutFiles: 10_000 };
const MEMORY = 'Git needed more than 384 MiB of memory';
const SIZE = 'At most 1024 MiB in 10000 files and folders are allowed';

describe.each(GIT_MODES)('git %s', (mode) => {
  let bench: FetchBench;
  beforeAll(async () => {
    bench = await createFetchBench(mode);
  });
  afterAll(() => bench.close());

  async function fetchHostile(
    repository: Parameters<typeof startHostileGitHost>[0],
    limits?: Partial<FetchOptions['limits']>,
  ) {
    const host = await startHostileGitHost(repository);
    onTestFinished(() => host.stop());
    return await bench.fetch(host.url, { limits: { ...LIMITS, ...limits } });
  }

  describe('a hostile repository is too large', () => {
    it.each<[string, string, () => HostileRepository]>([
      ['a tree of 3 GiB', MEMORY, () => repositoryWith(zeros('tree', 3 * GIBIBYTE))],
      ['a commit of 3 GiB', MEMORY, () => repositoryWith(zeros('commit', 3 * GIBIBYTE))],
      ['a delta that becomes 3 GiB', MEMORY, () => repositoryWith(deltas(1, 200))],
      ['a promise of 4 billion objects', MEMORY, () => repositoryWith([], 0xffff_fff0)],
      [
        'more objects than files are allowed',
        'The commit has 20001 objects, at most 20000 are allowed',
        () => repositoryWith([], 20_001),
      ],
      ['ten billion files', SIZE, () => nestedFolders([FILE], 10, 10)],
      ['ten billion empty folders', SIZE, () => nestedFolders([], 10, 10)],
      ['long paths', 'A path is longer than 4096 bytes', () => nestedFolders([FILE], 500, 1)],
      [
        'one large file many times',
        SIZE,
        () => {
          const [large] = deltas(0, 0);
          const id = idOf('blob', Buffer.alloc(16 * 1024 ** 2));
          const entries = Array.from({ length: 80 }, (_, index) => ({
            mode: '100644',
            name: `file-${1_000 + index}`,
            id,
          }));
          return repositoryOf(entries, large === undefined ? [] : [large]);
        },
      ],
    ])('because of %s: %s', async (_, limit, repository) => {
      await expect(fetchHostile(repository())).rejects.toMatchObject({
        reason: 'repository-too-large',
        evidence: expect.arrayContaining([limit]),
      });
      if (mode !== 'in the sandbox') return;
      expect(bench.peakBytes()).toBeGreaterThan(0);
      expect(bench.peakBytes()).toBeLessThan(GIT_RESOURCES.memoryBytes);
    });

    it('because of objects that take too long to unpack', async () => {
      const slow = repositoryWith(deltas(100, 15));
      await expect(fetchHostile(slow, { fetchMs: 6_000 })).rejects.toMatchObject({
        reason: 'repository-too-large',
        evidence: expect.arrayContaining(['Git did not finish within 6 seconds']),
      });
    });

    it('because of the size of its pack', async () => {
      const noise = repositoryWith([objectOf('blob', randomBytes(2 * 1024 ** 2))]);
      await expect(fetchHostile(noise, { checkoutBytes: 1024 ** 2 })).rejects.toMatchObject({
        reason: 'repository-too-large',
        evidence: expect.arrayContaining(['Git received more than 1 MiB']),
      });
    });
  });

  describe('a hostile host', () => {
    it('cannot fill the memory with refs', async () => {
      const line = packetLine(`${'0'.repeat(39)}1 refs/heads/${'x'.repeat(60_000)}\n`);
      const sendRefs = (_: unknown, response: ServerResponse) => {
        response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
        response.write(`${packetLine('# service=git-upload-pack\n')}0000`);
        const more = () => {
          while (response.write(line.repeat(16)));
          response.once('drain', more);
        };
        more();
      };
      await expect(fetchHostile(sendRefs)).rejects.toMatchObject({
        reason: 'repository-too-large',
        evidence: expect.arrayContaining([MEMORY]),
      });
    });

    it('cannot make git use the protocol without limits', async () => {
      const sendFiles = (_: unknown, response: ServerResponse) =>
        void response.end(`${repositoryWith([]).commit}\trefs/heads/main\n`);
      await expect(fetchHostile(sendFiles)).rejects.toMatchObject({ reason: 'repository-invalid' });
    });
  });

  describe('the checkout of a hostile repository', () => {
    const blob = (text: string) => ({ id: idOf('blob', text), object: objectOf('blob', text) });

    it('refuses a file in .git with repository-invalid', async () => {
      const gitFile = repositoryOf([{ ...FILE, name: '.git' }]);
      await expect(fetchHostile(gitFile)).rejects.toMatchObject({
        reason: 'repository-invalid',
        evidence: expect.arrayContaining([expect.stringContaining("invalid path '.git'")]),
      });
    });

    it('refuses missing and broken objects with repository-invalid', async () => {
      const missing = repositoryOf([{ ...FILE, id: '1'.repeat(40) }]);
      await expect(fetchHostile(missing)).rejects.toMatchObject({ reason: 'repository-invalid' });
      const broken = { ...objectOf('blob', 'x'), size: 7 };
      await expect(fetchHostile(repositoryWith([broken]))).rejects.toMatchObject({
        reason: 'repository-invalid',
      });
    });

    it('writes files as they are stored, and runs no filter', async () => {
      const text = blob('$Id$\nline\n');
      const attributes = blob('* ident text eol=crlf working-tree-encoding=UTF-32 filter=lfs\n');
      const { folder } = await fetchHostile(
        repositoryOf(
          [
            { mode: '100644', name: '.gitattributes', id: attributes.id },
            { mode: '100644', name: 'text', id: text.id },
          ],
          [text.object, attributes.object],
        ),
      );
      expect(await readFile(join(folder, 'text'), 'utf8')).toBe('$Id$\nline\n');
    });

    it('keeps links as links and fetches no submodules of this machine', async () => {
      const target = blob('/etc/passwd');
      const modules = blob('[submodule "s"]\n\tpath = s\n\turl = http://127.0.0.1:9/s\n');
      const { folder, missingSubmodules } = await fetchHostile(
        repositoryOf(
          [
            { mode: '100644', name: '.gitmodules', id: modules.id },
            { mode: '120000', name: 'link', id: target.id },
            { mode: '160000', name: 's', id: '2'.repeat(40) },
          ],
          [target.object, modules.object],
        ),
      );
      expect(await readlink(join(folder, 'link'))).toBe('/etc/passwd');
      expect(await readdir(join(folder, 's'))).toEqual([]);
      expect(missingSubmodules).toEqual([
        expect.stringMatching(/^The submodule s was not fetched: .* is not an allowed source\./),
      ]);
    });
  });
});
