import { describe, expect, it } from 'vitest';
import {
  missingSubmodule,
  submoduleLink,
  submoduleRights,
  submoduleUrl,
  withUrls,
} from './submodules.ts';

const COMMIT = 'ce013625030ba8dba906f756967f9e9ca394464a';

describe('submoduleLink', () => {
  it('finds submodules in a listing of files', () => {
    expect(submoduleLink(`160000 commit ${COMMIT}       -\tthemes/my theme`)).toEqual({
      path: 'themes/my theme',
      commit: COMMIT,
    });
    expect(submoduleLink(`100644 blob ${COMMIT}       6\tREADME.md`)).toBeUndefined();
    expect(submoduleLink(`040000 tree ${COMMIT}       -\tsrc`)).toBeUndefined();
  });
});

describe('withUrls', () => {
  it('finds the address by the path, whatever the name', () => {
    const links = ['themes/a', 'lib', 'unknown'].map((path) => ({ path, commit: COMMIT }));
    const settings = [
      'submodule.themes/a.path themes/a',
      'submodule.themes/a.url https://git.example/a',
      'submodule.my lib.url ../lib.git',
      'submodule.my lib.path lib',
      'submodule.no path.url https://git.example/other',
    ];
    expect(withUrls(links, settings).map(({ url }) => url)).toEqual([
      'https://git.example/a',
      '../lib.git',
      undefined,
    ]);
  });
});

describe('submoduleUrl', () => {
  it.each([
    ['https://other.example/a.git', 'https://git.example/group/app', 'https://other.example/a.git'],
    ['../theme.git', 'https://git.example/group/app.git', 'https://git.example/group/theme.git'],
    ['../theme.git', 'https://git.example/group/app/', 'https://git.example/group/theme.git'],
    ['../../other/theme', 'https://git.example/group/app', 'https://git.example/other/theme'],
    ['./theme/', 'https://git.example/app.git', 'https://git.example/app.git/theme'],
    ['../theme', 'git@git.example:app.git', 'git@git.example:theme'],
    ['../theme', 'git@git.example:group/app.git', 'git@git.example:group/theme'],
    ['../theme', 'ssh://git@git.example/group/app', 'ssh://git@git.example/group/theme'],
    ['../theme', 'file:///srv/app', 'file:///srv/theme'],
  ])('resolves %s of %s to %s', (url, parent, resolved) => {
    expect(submoduleUrl(url, { parent, root: parent })).toBe(resolved);
  });

  it.each([
    ['git@git.example:group/a.git', 'https://git.example/app', 'https://git.example/group/a.git'],
    ['git@git.example:/a', 'https://git.example:8443/app', 'https://git.example:8443/a'],
    ['ssh://git@git.example/a', 'https://ada@git.example/app', 'https://git.example/a'],
    ['git@other.example:a', 'https://git.example/app', 'git@other.example:a'],
    ['https://git.example/a', 'git@git.example:app', 'https://git.example/a'],
  ])('reads %s of an app at %s from %s', (url, root, expected) => {
    expect(submoduleUrl(url, { parent: root, root })).toBe(expected);
  });
});

describe('submoduleRights', () => {
  it.each<[string, string, boolean, boolean]>([
    ['https://git.example/a', 'https://git.example/app', true, true],
    ['https://git.example:8443/a', 'https://git.example/app', false, false],
    ['http://git.example/a', 'https://git.example/app', false, false],
    ['https://git.example.evil.example/a', 'https://git.example/app', false, false],
    ['git@git.example:a', 'git@git.example:app', true, true],
    ['ssh://git@git.example:23/a', 'git@git.example:app', false, false],
    ['file:///srv/a', 'https://git.example/app', false, false],
    ['file:///srv/a', 'file:///srv/app', false, true],
    ['http://10.0.0.1/a', 'file:///srv/app', false, true],
    ['ext::sh -c true', 'file:///srv/app', false, false],
  ])('of %s for an app at %s', (url, appUrl, mayUseCredential, mayBeLocal) => {
    expect(submoduleRights(url, appUrl)).toEqual({ mayUseCredential, mayBeLocal });
  });
});

describe('missingSubmodule', () => {
  it('names the submodule, its address without a token, and what to do', () => {
    const submodule = { path: 'lib', commit: COMMIT, url: 'https://secret@git.example/lib' };
    expect(missingSubmodule(submodule, 'repository-refused')).toBe(
      'The submodule lib was not fetched: https://git.example/lib requires authentication. Make it public, or copy its files into the repository',
    );
    expect(missingSubmodule({ ...submodule, url: undefined }, 'repository-not-found')).toContain(
      '.gitmodules has no url for this path',
    );
  });
});
