import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseLegacyMessage } from './messages.ts';

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
])('parses %s', (text, message) => {
  expect(parseLegacyMessage(text)).toEqual(message);
});

it.each([
  ['', 'A message must be a JSON object'],
  ['[]', 'A message must be a JSON object'],
  ['null', 'A message must be a JSON object'],
  ['{"type":"subscribe","id":"1"}', 'Unknown message type'],
  ['{"type":"__proto__"}', 'Unknown message type'],
  ['{"type":"start","payload":{}}', 'A start message needs an id'],
  ['{"type":"stop","id":1}', 'A stop message needs an id'],
  ['{"type":"start","id":"1"}', 'A start message needs a payload with a query'],
  ['{"type":"start","id":"1","payload":[]}', 'A start message needs a payload with a query'],
])('reports why %s is unreadable', (text, why) => {
  expect(parseLegacyMessage(text)).toEqual({ type: 'unreadable', why });
});

it('never throws', () => {
  fc.assert(fc.property(fc.json(), (text) => void parseLegacyMessage(text)));
  fc.assert(fc.property(fc.string(), (text) => void parseLegacyMessage(text)));
});
