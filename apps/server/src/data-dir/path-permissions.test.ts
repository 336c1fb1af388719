import { describe, expect, it } from 'vitest';
import { ancestorsOf, findClosedFolder, isReadableByOthers } from './path-permissions.ts';

it('lists every folder above a path', () => {
  expect(ancestorsOf('/srv/longshore/data')).toEqual(['/srv/longshore', '/srv', '/']);
});

describe('findClosedFolder', () => {
  it.each([
    ['open folders', { '/srv': 0o755, '/': 0o755 }, undefined],
    ['folders that can only be passed', { '/srv': 0o711, '/': 0o711 }, undefined],
    ["root's home", { '/root/work': 0o755, '/root': 0o700, '/': 0o755 }, '/root'],
    ['a folder for its group only', { '/srv/team': 0o770, '/srv': 0o755 }, '/srv/team'],
    ['readable but not passable', { '/srv': 0o754 }, '/srv'],
    ['the sticky temporary folder', { '/tmp': 0o1777, '/': 0o755 }, undefined],
  ])('checks %s', (_, modes, closed) => {
    const folders = Object.entries(modes).map(([path, mode]) => ({ path, mode }));
    expect(findClosedFolder(folders)).toBe(closed);
  });
});

describe('isReadableByOthers', () => {
  it.each([
    [0o644, true],
    [0o755, true],
    [0o600, false],
    [0o700, false],
    [0o744, false],
  ])('mode %o', (mode, expected) => {
    expect(isReadableByOthers({ path: '/a', mode })).toBe(expected);
  });
});
