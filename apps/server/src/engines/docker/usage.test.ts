import { expect, it } from 'vitest';
import { groupFolders } from './usage.ts';

const SEPARATE = '9:memory:/docker/abc\n8:cpuacct:/docker/abc\n7:cpu:/docker/abc\n0::/docker/abc\n';
const ROOT = '/sys/fs/cgroup';

it.each([
  ['version 1', SEPARATE, { version: 1, memory: '/memory', cpu: '/cpuacct' }],
  [
    'version 1 with a shared tree',
    '5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n',
    { version: 1, memory: '/memory', cpu: '/cpuacct' },
  ],
  ['version 1 without CPU time', '5:memory:/docker/abc\n', { version: 1, memory: '/memory' }],
] as const)('finds the groups of a container with %s', (_, text, { version, memory, ...rest }) => {
  const cpu = 'cpu' in rest ? `${ROOT}${rest.cpu}/docker/abc` : undefined;
  const expected = { version, memory: `${ROOT}${memory}/docker/abc`, cpu };
  expect(groupFolders(text, false)).toEqual(expected);
});

it('finds the group of a container with version 2', () => {
  const folder = `${ROOT}/system.slice/docker-abc.scope`;
  expect(groupFolders('0::/system.slice/docker-abc.scope\n', true)).toEqual({
    version: 2,
    memory: folder,
    cpu: folder,
  });
});

it.each([true, false])('finds none in an empty file', (isUnified) => {
  expect(groupFolders('', isUnified)).toBeUndefined();
});
