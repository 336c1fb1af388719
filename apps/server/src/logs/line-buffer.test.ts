import { expect, it } from 'vitest';
import { createLineBuffer } from './line-buffer.ts';

const line = { at: 1, name: 'app-a-1', text: 'text' };

it('has room until there are too many lines or too many characters', () => {
  const few = createLineBuffer({ lines: 2, characters: 1_000 });
  few.push(line);
  expect(few.hasRoom()).toBe(true);
  few.push(line);
  expect(few.hasRoom()).toBe(false);
  const short = createLineBuffer({ lines: 1_000, characters: 4 });
  short.push(line);
  expect(short.hasRoom()).toBe(false);
});

it('reports the number of dropped lines once, after the other lines', () => {
  const buffer = createLineBuffer({ lines: 1, characters: 1_000 });
  buffer.push(line);
  buffer.drop(1, 'app-a-1', 2);
  buffer.drop(41, 'app-a-2', 3);
  const { lines, appended } = buffer.take();
  expect(appended).toBe(43);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ at: 3, name: 'app-a-2' });
  expect(lines[1]?.text).toContain('42 lines were dropped');
  expect(buffer.take()).toEqual({ lines: [], appended: 0 });
});
