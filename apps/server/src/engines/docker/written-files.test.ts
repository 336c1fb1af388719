import { expect, it } from 'vitest';
import { processFiles } from './written-files.ts';

it.each([
  [
    '12:cpu,cpuacct:/docker/1\n5:pids:/docker/1\n1:name=systemd:/docker/1\n',
    ['/sys/fs/cgroup/pids/docker/1/cgroup.procs'],
  ],
  [
    '0::/system.slice/docker-1.scope\n',
    ['/sys/fs/cgroup/system.slice/docker-1.scope/cgroup.procs'],
  ],
  // The root group has the processes of the whole machine.
  ['5:pids:/\n0::/\n', []],
  ['', []],
])('finds the processes of the groups in %j', (groups, files) => {
  expect(processFiles(groups)).toEqual(files);
});
