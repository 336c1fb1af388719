import { expect, it } from 'vitest';
import { chooseUpstream } from './choose-upstream.ts';

const NOW = 10_000;

type Load = { inFlight?: number; websockets?: number; avoidedUntil?: number };

function upstreamsOf(...loads: Load[]) {
  return loads.map(({ inFlight = 0, websockets = 0, avoidedUntil = 0 }) => ({
    inFlight,
    websockets,
    avoidedUntil,
  }));
}

const avoided = { avoidedUntil: NOW + 1 };

it.each<[string, Load[], number, number]>([
  ['the one with the least requests', [{ inFlight: 2 }, { inFlight: 1 }, { inFlight: 3 }], 0, 1],
  ['the next one of equals', [{}, {}, {}], 0, 1],
  ['the first one after the last', [{}, {}, {}], 2, 0],
  ['another one than one that failed', [{ inFlight: 5 }, avoided], 0, 0],
  ['one whose failure is long ago', [{ inFlight: 5 }, { avoidedUntil: NOW }], 0, 1],
  ['one that failed when there is no other', [avoided], 0, 0],
  ['one that failed when the others are full', [{ inFlight: 100 }, avoided], 0, 1],
  ['the only one that is not full', [{ inFlight: 100 }, { inFlight: 99 }], 0, 1],
  ['one with many websockets', [{ inFlight: 300, websockets: 250 }, { inFlight: 100 }], 0, 0],
  ['none when all are full', [{ inFlight: 100 }, { inFlight: 100 }], 0, -1],
  ['none of none', [], -1, -1],
])('chooses %s', (_, loads, turn, index) => {
  const upstreams = upstreamsOf(...loads);
  const choice = { upstreams, turn, tried: [], now: NOW, maxRequests: 100 };
  expect(chooseUpstream(choice)).toBe(index);
});

it('tries another one than those that did not answer, while there are any', () => {
  const upstreams = upstreamsOf({}, {}, { inFlight: 9 });
  const choose = (...tried: typeof upstreams) =>
    chooseUpstream({ upstreams, turn: -1, tried, now: NOW, maxRequests: 100 });
  const [first, second, third] = upstreams as [Candidate, Candidate, Candidate];
  expect(choose()).toBe(0);
  expect(choose(first)).toBe(1);
  expect(choose(first, second)).toBe(2);
  expect(choose(first, second, third)).toBe(0);
});

type Candidate = ReturnType<typeof upstreamsOf>[number];
