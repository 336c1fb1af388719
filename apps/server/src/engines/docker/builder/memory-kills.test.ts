import { expect, it } from 'vitest';
import { memoryFiles } from './memory-kills.ts';

it.each([
  [
    '12:cpu,memory:/docker/1\n1:name=systemd:/x\n',
    ['/sys/fs/cgroup/memory/docker/1/memory.oom_control'],
  ],
  [
    '0::/system.slice/docker-1.scope\n',
    ['/sys/fs/cgroup/system.slice/docker-1.scope/memory.events'],
  ],
  ['', []],
])('finds the files of the memory group in %j', (groups, files) => {
  expect(memoryFiles(groups)).toEqual(files);
});
