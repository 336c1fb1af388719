import { expect, it } from 'vitest';
import { createInTurn } from './in-turn.ts';

/** Works that last until they are told to end; `begun` says which were let in, in their order. */
function works(atOnce: number) {
  const inTurn = createInTurn(atOnce);
  const begun: string[] = [];
  const endings = new Map<string, PromiseWithResolvers<string>>();
  const begin = (name: string) => {
    const ending = Promise.withResolvers<string>();
    endings.set(name, ending);
    return inTurn(() => {
      begun.push(name);
      return ending.promise;
    });
  };
  return { begin, begun, ending: (name: string) => endings.get(name) };
}

it('does no more at once than it may, and the next when one ends', async () => {
  const { begin, begun, ending } = works(2);
  const [first] = [begin('a'), begin('b'), begin('c')];
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  ending('a')?.resolve('done');
  expect(await first).toBe('done');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
});

it('lets nobody who comes later go first', async () => {
  const { begin, begun, ending } = works(1);
  const first = begin('a');
  const second = begin('b');
  ending('a')?.resolve('done');
  await first;
  void begin('c');
  ending('b')?.resolve('done');
  await second;
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
});

it('goes on after a work that failed', async () => {
  const { begin, begun, ending } = works(1);
  const first = begin('a');
  const second = begin('b');
  ending('a')?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  ending('b')?.resolve('done');
  expect(await second).toBe('done');
  expect(begun).toEqual(['a', 'b']);
});
