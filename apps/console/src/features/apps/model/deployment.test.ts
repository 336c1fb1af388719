import { describe, expect, it } from 'vitest';
import { aRelease } from '../../../../test/resources.ts';
import { deploymentTime, phaseDurations } from './deployment.ts';

const START = '2025-01-01T00:00:00Z';
const inProgress = aRelease({ outcome: undefined, endedAt: undefined, startedAt: START });

function releaseOf(seconds: number, release: Parameters<typeof aRelease>[0] = {}) {
  const endedAt = new Date(Date.parse(START) + seconds * 1_000).toISOString();
  return aRelease({ startedAt: START, endedAt, ...release });
}

describe('deploymentTime', () => {
  it.each([
    ['unknown before the first release', [], undefined],
    ['unknown during the first release', [inProgress], undefined],
    ['the duration of the only release', [inProgress, releaseOf(42)], 42_000],
    [
      'the median of three releases',
      [inProgress, releaseOf(90), releaseOf(10), releaseOf(40)],
      40_000,
    ],
    [
      'that of the last five releases',
      [...[1, 2, 3, 4, 5].map((seconds) => releaseOf(seconds)), releaseOf(900), releaseOf(901)],
      3_000,
    ],
    [
      'not that of failed releases',
      [inProgress, releaseOf(5, { outcome: 'failed' }), releaseOf(60)],
      60_000,
    ],
    [
      'not that of reused builds while building',
      [inProgress, releaseOf(2, { buildReusedFrom: 1 }), releaseOf(60)],
      60_000,
    ],
    [
      'not that of builds while reusing one',
      [{ ...inProgress, buildReusedFrom: 1 }, releaseOf(2, { buildReusedFrom: 1 }), releaseOf(60)],
      2_000,
    ],
  ])('has a usual duration that is %s', (_, releases, usualMs) => {
    expect(deploymentTime(releases).usualMs).toBe(usualMs);
  });

  it.each([
    ['that of the release in progress', [inProgress], START],
    ['unknown while none is in progress', [releaseOf(42)], undefined],
  ])('has a start that is %s', (_, releases, since) => {
    expect(deploymentTime(releases).since).toBe(since);
  });
});

describe('phaseDurations', () => {
  const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000).toISOString();

  it('runs the last phase until now and adds up phases that a retry repeats', () => {
    const phases = [
      { phase: 'queued' as const, at: at(0) },
      { phase: 'building' as const, at: at(2) },
      { phase: 'queued' as const, at: at(12) },
      { phase: 'building' as const, at: at(15) },
    ];
    expect(phaseDurations(phases, Date.parse(START) + 20_000)).toEqual({
      queued: 5_000,
      building: 15_000,
    });
  });

  it('has no negative duration while the clocks differ', () => {
    const phases = [{ phase: 'queued' as const, at: at(1) }];
    expect(phaseDurations(phases, Date.parse(START))).toEqual({ queued: 0 });
  });
});
