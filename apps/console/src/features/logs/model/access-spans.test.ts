import { expect, it } from 'vitest';
import { accessSpans } from './access-spans.ts';

it.each([
  ['200 GET /', [{ text: '200 GET /' }]],
  ['304 GET /', [{ text: '304 GET /' }]],
  ['404 GET /', [{ text: '404', colour: 3 }, { text: ' GET /' }]],
  ['502 GET /', [{ text: '502', colour: 1 }, { text: ' GET /' }]],
  ['4044 GET /', [{ text: '4044 GET /' }]],
  ['… 7 requests', [{ text: '… 7 requests' }]],
])('%j', (text, spans) => {
  expect(accessSpans(text)).toEqual(spans);
});
