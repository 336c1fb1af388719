import { expect, it } from 'vitest';
import { aRelease } from '../../../../test/resources.ts';
import { failedPhase, releaseTiming } from './phase-timing.ts';

const at = (second: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, second)).toISOString();
const built = aRelease({
  startedAt: at(0),
  endedAt: at(59),
  phases: [
    { phase: 'queued', at: at(0) },
    { phase: 'fetching', at: at(2) },
    { phase: 'building', at: at(5) },
    { phase: 'starting', at: at(50) },
    { phase: 'checking', at: at(52) },
    { phase: 'live', at: at(59) },
  ],
});

it('lasts in each phase until the next one', () => {
  expect(releaseTiming(built)).toEqual({
    phases: [
      { phase: 'queued', ms: 2_000 },
      { phase: 'fetching', ms: 3_000 },
      { phase: 'building', ms: 45_000 },
      { phase: 'starting', ms: 2_000 },
      { phase: 'checking', ms: 7_000 },
    ],
    totalMs: 59_000,
    buildMs: 45_000,
  });
});

it('counts every build of a release that was retried', () => {
  const phases = [
    { phase: 'building' as const, at: at(0) },
    { phase: 'building' as const, at: at(10) },
  ];
  const timing = releaseTiming(aRelease({ ...built, outcome: 'failed', phases, endedAt: at(30) }));
  expect(timing?.phases.map(({ ms }) => ms)).toEqual([10_000, 20_000]);
  expect(timing?.buildMs).toBe(30_000);
});

it('is unknown while the release is in progress, and without phases only the total is known', () => {
  expect(releaseTiming(aRelease({ ...built, endedAt: undefined }))).toBeUndefined();
  expect(releaseTiming(aRelease({ ...built, phases: [] }))).toEqual({
    phases: [],
    totalMs: 59_000,
    buildMs: 0,
  });
});

it('never shows a negative duration, such as after a change of the clock', () => {
  const backwards = aRelease({
    startedAt: at(10),
    endedAt: at(0),
    phases: [{ phase: 'queued', at: at(10) }],
  });
  expect(releaseTiming(backwards)).toEqual({
    phases: [{ phase: 'queued', ms: 0 }],
    totalMs: 0,
    buildMs: 0,
  });
});

it.each([
  ['failed', 'checking'],
  ['cancelled', 'checking'],
  ['live', undefined],
  ['superseded', undefined],
] as const)('of a %s release ended at %s', (outcome, phase) => {
  expect(failedPhase(aRelease({ ...built, outcome, phases: built.phases.slice(0, -1) }))).toBe(
    phase,
  );
});
