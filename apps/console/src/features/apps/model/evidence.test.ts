import { expect, it } from 'vitest';
import { readableEvidence } from './evidence.ts';

const ESCAPE = '\u001b';

it.each([
  ['plain text', 'Error: no express', 'Error: no express'],
  ['colours', `${ESCAPE}[31;1mnpm error${ESCAPE}[0m code 1`, 'npm error code 1'],
  ['a colour that is cut off', `broken ${ESCAPE}[3`, 'broken [3'],
  ['links and titles', `${ESCAPE}]8;;http://a\u0007text${ESCAPE}]8;;\u0007`, 'text'],
  ['a progress bar', ' 10 %\r 50 %\r100 %', '100 %'],
  ['a progress bar that ends the line', '10 %\r100 %\r', '100 %'],
  ['a cleared progress bar', `10 %\r${ESCAPE}[Kdone`, 'done'],
  ['bells and other control characters', 'a\u0007b\u0000c\u009fd\be', 'abcde'],
  ['tabs', '\tat main.js:1', '\tat main.js:1'],
  ['an empty line', '', ''],
  ['only carriage returns', '\r\r', ''],
])('shows %s as a terminal would', (_, line, shown) => {
  expect(readableEvidence([line])).toEqual([shown]);
});
