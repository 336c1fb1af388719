import { expect, it } from 'vitest';
import { bubblewrapArgv, bubblewrapOptions } from './bubblewrap-options.ts';

it.each(['isolated', 'builder', 'none', 'host'] as const)(
  'drops rights and forbids core dumps before a program reads variables of the user, with the network %s',
  (kind) => {
    const access = kind === 'isolated' ? { kind, projectId: undefined } : { kind };
    const argv = bubblewrapArgv(access, { uid: 7, gid: 8 });
    const position = (word: string) => argv.indexOf(word);
    expect(position('--bounding-set=-all')).toBeGreaterThan(position('setpriv'));
    expect(position('--core=1')).toBeGreaterThan(position('--no-new-privs'));
    expect(argv.at(-1)).toBe('sh');
    expect(argv.includes('unshare')).toBe(kind === 'isolated' || kind === 'builder');
  },
);

it.each([
  ['is /tmp', '/srv/data', '--symlink /tmp /var/tmp'],
  ['has room for a folder that is mounted in it', '/var/tmp/data', '--perms 1777 --tmpfs /var/tmp'],
])('/var/tmp %s', (_, folder, expected) => {
  const mounts = [{ source: folder, target: folder, isWritable: true }];
  const options = bubblewrapOptions(
    { mounts, network: { kind: 'none' } },
    {
      system: { folders: [], links: [] },
      namesFolder: undefined,
      groupFolders: [],
      endsWithServer: true,
    },
  ).join(' ');
  expect(options).toContain(expected);
  expect(options.match(/\/tmp \/var\/tmp|--tmpfs \/var\/tmp/g)).toHaveLength(1);
  expect(options.indexOf(expected)).toBeLessThan(options.indexOf(`--bind ${folder}`));
});
