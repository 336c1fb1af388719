import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, type NumberedLine } from './line-list.ts';
import {
  emptyWindow,
  isSelected,
  type LogSelection,
  type LogWindow,
  newerAfter,
  olderBefore,
  paused,
  withHistory,
  withLatest,
  withNewer,
  withOlder,
  withReceived,
  withSelection,
} from './log-window.ts';

const limits = { lines: 4_000, recent: 2_000 };

/** Every third line is of a build. Lines arrive one millisecond after the other. */
const line = (number: number): NumberedLine => ({
  number,
  name: 'a',
  source: number % 3 === 0 ? 'build' : 'app',
  text: `${number}`,
  at: number,
});
const lines = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => line(from + index));
const receive = (window: LogWindow, from: number, to: number) =>
  withReceived(window, lines(from, to), { isNumbered: true, limits });
const numbersOf = (window: LogWindow) => linesOf(window.lines).map(({ number }) => number);

describe('a live window', () => {
  it('appends the lines of its selection', () => {
    const window = receive(withSelection(emptyWindow(), { kind: 'build' }), 1, 9);
    expect(numbersOf(window)).toEqual([3, 6, 9]);
    expect(window.hasKind).toEqual({ app: true, build: true });
  });

  it('drops the oldest lines when it is full, and can load them again', () => {
    const full = receive(emptyWindow(), 1, 10_000);
    expect(full.lines.length).toBeLessThanOrEqual(4_000);
    expect(numbersOf(full).at(-1)).toBe(10_000);
    expect(olderBefore({ ...full, isAtStart: false })).toBe(numbersOf(full)[0]);
  });

  it('shows at once what it has of another selection, and continues with older lines', () => {
    const window = withSelection(receive(emptyWindow(), 101, 109), { kind: 'build' });
    expect(numbersOf(window)).toEqual([102, 105, 108]);
    expect(window.version).toBe(1);
    expect(olderBefore(window)).toBe(102);
    expect(olderBefore(withSelection(window, { to: 50 }))).toBe(101);
  });

  it.each([
    [{}, true],
    [{ kind: 'app' }, true],
    [{ kind: 'build' }, false],
    [{ from: 7, to: 7 }, true],
    [{ from: 8 }, false],
    [{ to: 6 }, false],
  ] as const)('with the selection %j contains line 7: %s', (selection, expected) => {
    expect(isSelected(line(7), selection)).toBe(expected);
  });
});

describe('a paused window', () => {
  it('counts new lines and adds them when it is live again', () => {
    const window = receive(paused(receive(emptyWindow(), 1, 3)), 4, 5);
    expect(numbersOf(window)).toEqual([1, 2, 3]);
    expect(window.newLines).toBe(2);
    const resumed = withLatest(window);
    expect(numbersOf(resumed)).toEqual([1, 2, 3, 4, 5]);
    expect(resumed).toMatchObject({ mode: 'live', newLines: 0, version: 0 });
  });

  it('begins with the newest lines if some would be missing in between', () => {
    const resumed = withLatest(receive(paused(receive(emptyWindow(), 1, 3)), 4, 9_000));
    expect(numbersOf(resumed)[0]).toBeGreaterThan(4);
    expect(numbersOf(resumed).at(-1)).toBe(9_000);
    expect(resumed).toMatchObject({ mode: 'live', version: 1, isAtStart: false });
  });
});

describe('history', () => {
  const inHistory = () =>
    withHistory(receive(emptyWindow(), 901, 1_000), lines(200, 300), { isAtStart: false });

  it('keeps new lines out and loads in both directions', () => {
    const window = receive(inHistory(), 1_001, 1_002);
    expect(numbersOf(window)).toEqual(lines(200, 300).map(({ number }) => number));
    expect([olderBefore(window), newerAfter(window)]).toEqual([200, 300]);
    const older = withOlder(window, lines(100, 199), { isComplete: true });
    expect(olderBefore(older)).toBeUndefined();
    expect(newerAfter(withNewer(older, lines(301, 400), { isComplete: false }))).toBe(400);
  });

  it('is live again when it reaches the newest lines', () => {
    const window = withNewer(inHistory(), lines(301, 950), { isComplete: false });
    expect(window.mode).toBe('live');
    expect(numbersOf(window)).toEqual(lines(200, 1_000).map(({ number }) => number));
  });

  it('begins when a full window loads older lines', () => {
    const full = receive(emptyWindow(), 5_001, 9_000);
    const window = withOlder(full, lines(3_001, 5_000), { isComplete: false, limits });
    expect(window.mode).toBe('history');
    expect(window.lines.length).toBeLessThanOrEqual(4_000);
    expect(numbersOf(window)[0]).toBe(3_001);
    expect(newerAfter(window)).toBeLessThan(9_000);
  });
});

it('cannot load other lines if the server does not number them', () => {
  const window = withReceived(emptyWindow(), lines(1, 3), { isNumbered: false });
  expect(olderBefore(window)).toBeUndefined();
});

type Step =
  | { kind: 'receive'; count: number }
  | { kind: 'select'; selection: LogSelection }
  | { kind: 'around'; at: number }
  | { kind: 'pause' | 'latest' | 'older' | 'newer' };

it('never has a gap, whatever the user does while lines arrive', () => {
  const selection = fc.record(
    {
      kind: fc.constantFrom('app' as const, 'build' as const),
      from: fc.nat(3_000),
      to: fc.integer({ min: 3_000, max: 20_000 }),
    },
    { requiredKeys: [] },
  );
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('receive' as const), count: fc.nat(2_500) }),
    fc.record({ kind: fc.constant('select' as const), selection }),
    fc.record({ kind: fc.constant('around' as const), at: fc.nat(8_000) }),
    fc.record({ kind: fc.constantFrom('pause', 'latest', 'older', 'newer') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let stored = 1_000;
      let window = receive(emptyWindow(), 901, 1_000);
      const selected = (from: number, to: number) =>
        lines(from, to).filter((it) => isSelected(it, window.selection));
      for (const step of steps) {
        if (step.kind === 'receive') {
          window = receive(window, stored + 1, stored + step.count);
          stored += step.count;
        }
        if (step.kind === 'select') window = withSelection(window, step.selection);
        if (step.kind === 'pause') window = paused(window);
        if (step.kind === 'latest') window = withLatest(window);
        const [before, after] = [olderBefore(window), newerAfter(window)];
        if (step.kind === 'older' && before !== undefined) {
          const page = selected(1, before - 1).slice(-500);
          window = withOlder(window, page, { isComplete: page.length < 500, limits });
        }
        if (step.kind === 'newer' && after !== undefined) {
          const page = selected(after + 1, stored).slice(0, 500);
          window = withNewer(window, page, { isComplete: page.length < 500, limits });
        }
        if (step.kind === 'around') {
          const at = (step.at % stored) + 1;
          const page = [...selected(1, at - 1).slice(-100), ...selected(at, stored).slice(0, 100)];
          window = withHistory(window, page, { isAtStart: false });
        }
        const numbers = numbersOf(window);
        const [first, last] = [numbers[0], numbers.at(-1)];
        expect(numbers).toEqual(
          first === undefined || last === undefined
            ? []
            : selected(first, last).map(({ number }) => number),
        );
        if (window.mode === 'live') {
          expect(last).toBe(first === undefined ? undefined : selected(1, stored).at(-1)?.number);
        }
        expect(window.lines.length).toBeLessThanOrEqual(limits.lines + limits.recent);
      }
    }),
    { numRuns: 60 },
  );
});
