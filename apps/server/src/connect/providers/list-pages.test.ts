import { createSimulatedClock } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { listPages } from './list-pages.ts';

const entry = z.object({ n: z.number() }).transform(({ n }) => n);

type Answer = { numbers?: unknown; next?: string };

/** A provider whose pages are what is said, and when asked takes its time. */
function prepare(answer: (page: string) => Answer, pageMs = 0) {
  const clock = createSimulatedClock();
  const asked: string[] = [];
  const api = {
    async page(path: string) {
      asked.push(path);
      await clock.advance(pageMs);
      const { numbers = [], next } = answer(
        new URLSearchParams(path.split('?')[1]).get('page') ?? '1',
      );
      const headers = new Headers(
        next === undefined ? {} : { link: `<https://x/?page=${next}>; rel="next"` },
      );
      const body = Array.isArray(numbers) ? numbers.map((n) => ({ n })) : numbers;
      return { body, headers };
    },
  };
  const list = (maxEntries = 100) => listPages(api, { path: '/list', entry, maxEntries }, clock);
  return { list, asked };
}

const endless = (page: string) => ({ numbers: [1, 2], next: String(Number(page) + 1) });

it('reads to the last page, empty ones among them', async () => {
  const pages: Record<string, Answer> = {
    1: { numbers: [1, 2], next: '2' },
    2: { numbers: [], next: '3' },
    3: { numbers: [3] },
  };
  const { list } = prepare((page) => pages[page] ?? {});
  expect(await list()).toEqual({ entries: [1, 2, 3], isCut: false });
});

it('leaves out what is no entry', async () => {
  const { list } = prepare(() => ({ numbers: [1, 'x', null, 2] }));
  expect(await list()).toEqual({ entries: [1, 2], isCut: false });
});

it.each([null, {}, 'text', 7])('does not take %j for a list', async (numbers) => {
  await expect(prepare(() => ({ numbers })).list()).rejects.toMatchObject({
    reason: 'unreachable',
  });
});

it('stops at what is enough, and says so', async () => {
  const { list, asked } = prepare(endless);
  expect(await list(5)).toEqual({ entries: [1, 2, 1, 2, 1], isCut: true });
  expect(asked).toHaveLength(3);
});

it('does not look through a page that is endless', async () => {
  const { list } = prepare(() => ({ numbers: Array.from({ length: 300_000 }, (_, n) => n) }));
  const { entries, isCut } = await list(1_000_000);
  expect([entries.length, isCut]).toEqual([1_000, true]);
});

it('says that nothing is missing when the last page just fills it', async () => {
  const { list } = prepare((page) =>
    page === '1' ? { numbers: [1, 2], next: '2' } : { numbers: [3, 4] },
  );
  expect(await list(4)).toEqual({ entries: [1, 2, 3, 4], isCut: false });
});

it('stops when it takes too long, with what there is', async () => {
  const { list, asked } = prepare(endless, 10_000);
  expect(await list()).toEqual({ entries: [1, 2, 1, 2, 1, 2], isCut: true });
  expect(asked).toHaveLength(3);
});

it('ends, in bounds and asking for no page twice, wherever pages lead', async () => {
  const page = fc.record({
    numbers: fc.array(fc.integer(), { maxLength: 3 }),
    next: fc.option(fc.integer({ min: 1, max: 12 }).map(String), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 12 }), async (pages) => {
      const { list, asked } = prepare((number) => {
        const { numbers, next } = pages[(Number(number) - 1) % pages.length] ?? { numbers: [] };
        return { numbers, ...(next === undefined ? {} : { next }) };
      });
      const { entries } = await list(20);
      expect(entries.length).toBeLessThanOrEqual(20);
      expect(new Set(asked).size).toBe(asked.length);
    }),
  );
});

it('ends though every page is empty and leads to another', async () => {
  const { list, asked } = prepare((page) => ({ next: String(Number(page) + 1) }));
  expect(await list()).toEqual({ entries: [], isCut: true });
  expect(asked).toHaveLength(200);
});
