import { expect, it } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

function works(limits: { atOnce: number; atOncePerOwner: number }) {
  const takeTurn = createFairTurns(limits);
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const add = (owner: string, name: string) =>
    takeTurn(owner, () => {
      begun.push(name);
      return new Promise((resolve) => endings.set(name, resolve));
    });
  const end = async (name: string) => {
    endings.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, end, begun };
}

it('does so many works at once, and no more', async () => {
  const { add, end, begun } = works({ atOnce: 2, atOncePerOwner: 2 });
  for (const name of ['a1', 'a2', 'a3']) add('ada', name);
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});

it('leaves room for others, however much one owner has to do', () => {
  const { add, begun } = works({ atOnce: 3, atOncePerOwner: 2 });
  for (let work = 0; work < 100; work += 1) add('ada', `a${work}`);
  add('eve', 'e0');
  expect(begun).toEqual(['a0', 'a1', 'e0']);
});

it('takes the owners in turn', async () => {
  const { add, end, begun } = works({ atOnce: 1, atOncePerOwner: 1 });
  for (const name of ['a1', 'a2', 'a3']) add('ada', name);
  for (const name of ['e1', 'e2']) add('eve', name);
  for (const name of ['a1', 'e1', 'a2', 'e2', 'a3']) await end(name);
  expect(begun).toEqual(['a1', 'e1', 'a2', 'e2', 'a3']);
});

it('begins at once again after a time without work', async () => {
  const { add, end, begun } = works({ atOnce: 1, atOncePerOwner: 1 });
  add('ada', 'first');
  await end('first');
  add('ada', 'second');
  expect(begun).toEqual(['first', 'second']);
});
