import { expect, it } from 'vitest';
import { buildsOn } from './build-limits.ts';

it.each([
  { cpus: 1, memoryGib: 1, max: 2, buildGib: 2 },
  { cpus: 2, memoryGib: 8, max: 2, buildGib: 2 },
  { cpus: 2, memoryGib: 16, max: 2, buildGib: 4 },
  { cpus: 4, memoryGib: 8, max: 2, buildGib: 2 },
  { cpus: 8, memoryGib: 32, max: 4, buildGib: 4 },
  { cpus: 8, memoryGib: 256, max: 4, buildGib: 8 },
])('on $cpus CPUs and $memoryGib GiB, $max builds with $buildGib GiB each', (machine) => {
  const { cpus, memoryGib, max, buildGib } = machine;
  expect(buildsOn({ cpus, memoryBytes: memoryGib * 1024 ** 3 })).toEqual({
    max,
    limits: { cpus: 1, memoryBytes: buildGib * 1024 ** 3, processes: 1_024 },
  });
});
