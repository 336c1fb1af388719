import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, createFetchBench, type FetchBench, GIT_MODES } from '../../test/build/fetch-bench.ts';
import { canRunSshd, type GitHost, startGitHost } from '../../test/build/git-host.ts';
import { Secret } from '../secrets/secret.ts';

const TOKEN = 'glpat-sentinel-4711';
const credential = {
  kind: 'https' as const,
  name: 'ada at git.example',
  username: 'oauth2',
  token: new Secret(TOKEN),
};

function gitmodules(urls: Record<string, string>): string {
  const sections = Object.entries(urls).map(
    ([path, url]) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`,
  );
  return sections.join('');
}

describe.skipIf(!canRunSshd).each(GIT_MODES)('submodules, with git %s,', (mode) => {
  let host: GitHost;
  let other: GitHost;
  let bench: FetchBench;
  const otherTokens: string[] = [];
  let icons: string;
  let theme: string;

  beforeAll(async () => {
    host = await startGitHost({ mayRead: (token) => token === TOKEN });
    other = await startGitHost({
      mayRead(token) {
        otherTokens.push(token);
        return true;
      },
    });
    icons = await host.push('group/icons', { 'icon.svg': '<svg/>' });
    theme = await host.push('group/theme', {
      'theme.css': 'a {}',
      '.gitmodules': gitmodules({ 'assets/icons': '../icons.git' }),
      'assets/icons': { commit: icons },
    });
    bench = await createFetchBench(mode);
  });
  afterAll(async () => {
    await host.stop();
    await other.stop();
    await bench.close();
  });

  it('are fetched at their commits, with theirs, from relative addresses of the same host', async () => {
    await host.push('group/theme', { 'theme.css': 'newer' });
    await host.push('group/app', {
      'index.html': 'hello',
      '.gitmodules': gitmodules({ 'themes/one': '../theme.git' }),
      'themes/one': { commit: theme },
    });
    const { folder, missingSubmodules } = await bench.fetch(host.httpUrl('group/app'), {
      credential,
    });
    expect(missingSubmodules).toEqual([]);
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe('hello');
    expect(await readFile(join(folder, 'themes/one/theme.css'), 'utf8')).toBe('a {}');
    const icon = join(folder, 'themes/one/assets/icons/icon.svg');
    expect(await readFile(icon, 'utf8')).toBe('<svg/>');
    expect((await stat(icon)).uid).toBe(APP?.uid ?? process.getuid?.());
    expect(existsSync(join(folder, 'themes/one/.git'))).toBe(false);
    expect(await readdir(dirname(folder))).toEqual(['source']);
    expect(bench.lines).toContain(`Checked out the submodule themes/one at ${theme}`);
  });

  it('do not lead to another host of the private network, nor to a folder of this machine', async () => {
    const commit = await other.push('secret', { secret: 'text' });
    const urls = { a: other.httpUrl('secret'), b: `file://${bench.root}/b`, c: 'ext::sh -c true' };
    await host.push('group/curious', {
      '.gitmodules': gitmodules(urls),
      ...Object.fromEntries(Object.keys(urls).map((path) => [path, { commit }])),
    });
    const { folder, missingSubmodules } = await bench.fetch(host.httpUrl('group/curious'), {
      credential,
    });
    expect(missingSubmodules).toEqual(
      Object.values(urls).map((url) => expect.stringContaining(`${url} is not an allowed source`)),
    );
    expect(await readdir(join(folder, 'a'))).toEqual([]);
    expect(otherTokens).toEqual([]);
  });

  it('that cannot be fetched are named, and the others are there', async () => {
    await host.push('group/broken', {
      '.gitmodules': gitmodules({
        gone: '../gone.git',
        moved: '../icons.git',
        icons: '../icons.git',
      }),
      gone: { commit: icons },
      icons: { commit: icons },
      moved: { commit: '2'.repeat(40) },
      nameless: { commit: icons },
    });
    const { folder, missingSubmodules } = await bench.fetch(host.httpUrl('group/broken'), {
      credential,
    });
    expect(missingSubmodules).toEqual([
      expect.stringMatching(/^The submodule gone was not fetched: \S*\/gone.git was not found\./),
      expect.stringMatching(/^The submodule moved was not fetched: .* does not have its commit\./),
      expect.stringMatching(/^The submodule nameless was not fetched: .gitmodules has no url/),
    ]);
    expect(await readdir(join(folder, 'icons'))).toEqual(['icon.svg']);
  });

  it('count in the limits of the checkout', async () => {
    const large = await host.push('group/large', { large: 'x'.repeat(700_000) });
    await host.push('group/small', {
      large: { commit: large },
      own: 'x'.repeat(700_000),
      '.gitmodules': gitmodules({ large: '../large.git' }),
    });
    const limits = { fetchMs: 60_000, checkoutBytes: 1024 ** 2, checkoutFiles: 100 };
    const { folder, missingSubmodules } = await bench.fetch(host.httpUrl('group/small'), {
      credential,
      limits,
    });
    expect(missingSubmodules).toEqual([expect.stringContaining('/large.git is too large.')]);
    expect(await readdir(join(folder, 'large'))).toEqual([]);
  });
});
