import { expect, it } from 'vitest';
import { type LoadSample, planLayout } from './scaling.ts';

const one = { workers: 1, slots: 2, retiring: 0 };
const two = { workers: 2, slots: 2, retiring: 0 };

/** One sample per second. */
function samples(...utilizations: number[]): LoadSample[] {
  return utilizations.map((utilization, index) => ({ at: index * 1_000, utilization }));
}

function quietFor(seconds: number): number[] {
  return Array(seconds + 1).fill(0.1);
}

it.each<[string, LoadSample[], typeof one, string]>([
  ['one idle worker', samples(0, 0, 0), one, 'stay'],
  ['one worker that was busy for a moment', samples(0.1, 0.9), one, 'stay'],
  ['one busy worker', samples(0.9, 0.9), one, 'grow'],
  ['one busy worker, on one core', samples(0.9, 0.9), { ...one, slots: 1 }, 'stay'],
  ['two busy workers', samples(1.8, 1.8), two, 'stay'],
  ['two workers, quiet for a minute', samples(...quietFor(60)), two, 'park'],
  ['two workers, quiet for less', samples(...quietFor(59)), two, 'stay'],
  ['two workers, busy in between', samples(...quietFor(40), 0.5, ...quietFor(40)), two, 'stay'],
  [
    'two workers, while others still drain',
    samples(...quietFor(60)),
    { ...two, retiring: 1 },
    'stay',
  ],
])('%s: %#', (_what, load, layout, action) => {
  expect(planLayout(load, layout).action).toBe(action);
});

it('keeps few samples, and still knows how long it was quiet', () => {
  let kept: LoadSample[] = [];
  const actions = Array.from({ length: 70 }, (_, second) => {
    const plan = planLayout([...kept, { at: second * 1_000, utilization: 0 }], two);
    kept = plan.samples;
    expect(kept.length).toBeLessThanOrEqual(2);
    return plan.action;
  });
  expect(actions.indexOf('park')).toBe(60);
});
