import { expect, it } from 'vitest';
import { bubblewrapArgv } from './bubblewrap-options.ts';

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
