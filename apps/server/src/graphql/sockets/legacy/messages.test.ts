import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLegacyMessage } from './messages.ts';

it.each([
  ['{"type":"connection_init"}', { type: 'connection_init', payload: undefined }],
  [
    '{"type":"connection_init","payload":{"headers":{}}}',
    { type: 'connection_init', payload: { headers: {} } },
  ],
  [
    '{"id":"1","type":"start","payload":{"query":"{a}"}}',
    { type: 'start', id: '1', payload: { query: '{a}' } },
  ],
  ['{"id":"1","type":"stop"}', { type: 'stop', id: '1' }],
  ['{"type":"connection_terminate","payload":null}', { type: 'connection_terminate' }],
])('reads %s', (text, message) => {
  expect(readLegacyMessage(text)).toEqual(message);
});

it.each([
  ['', 'A message is a JSON object'],
  ['[]', 'A message is a JSON object'],
  ['null', 'A message is a JSON object'],
  ['{"type":"subscribe","id":"1"}', 'The type of a message is unknown'],
  ['{"type":"__proto__"}', 'The type of a message is unknown'],
  ['{"type":"start","payload":{}}', 'A start names an id'],
  ['{"type":"stop","id":1}', 'A stop names an id'],
  ['{"type":"start","id":"1"}', 'A start has a payload with a query'],
  ['{"type":"start","id":"1","payload":[]}', 'A start has a payload with a query'],
])('cannot read %s, and says why', (text, why) => {
  expect(readLegacyMessage(text)).toEqual({ type: 'unreadable', why });
});

it('reads whatever comes without falling over', () => {
  fc.assert(fc.property(fc.json(), (text) => void readLegacyMessage(text)));
  fc.assert(fc.property(fc.string(), (text) => void readLegacyMessage(text)));
});
