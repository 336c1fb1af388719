import { expect, it } from 'vitest';
import type { LegacyMessage } from './messages.ts';
import { type LegacyAction, reactTo } from './react.ts';

const INIT: LegacyMessage = { type: 'connection_init', payload: { headers: {} } };
const START: LegacyMessage = { type: 'start', id: '1', payload: { query: '{a}' } };
const STOP: LegacyMessage = { type: 'stop', id: '1' };
const UNREADABLE: LegacyMessage = { type: 'unreadable', why: 'Unknown message type' };

const connectionError = (text: string) => `{"type":"connection_error","payload":"${text}"}`;
const startFailed = (text: string): LegacyAction => ({
  action: 'send',
  frames: [
    `{"id":"1","type":"error","payload":{"errors":[{"message":"${text}","extensions":{"path":"$","code":"start-failed"}}]}}`,
    '{"id":"1","type":"complete"}',
  ],
});

it.each<[string, LegacyMessage, boolean, string[], LegacyAction]>([
  ['the first message', INIT, false, [], { action: 'admit', params: { headers: {} } }],
  [
    'another first message',
    INIT,
    true,
    [],
    { action: 'send', frames: [connectionError('The connection is initialised already')] },
  ],
  [
    'a start before the first message',
    START,
    false,
    [],
    startFailed('start received before the connection is initialised'),
  ],
  ['a start', START, true, ['2'], { action: 'start', id: '1', request: { query: '{a}' } }],
  [
    'a start with an id in use',
    START,
    true,
    ['1'],
    startFailed('an operation already exists with this id: 1'),
  ],
  ['a stop', STOP, true, ['1'], { action: 'stop', id: '1' }],
  ['a stop of an unknown operation', STOP, true, [], { action: 'stop', id: '1' }],
  ['a termination', { type: 'connection_terminate' }, true, ['1'], { action: 'close' }],
  [
    'an unreadable message',
    UNREADABLE,
    true,
    [],
    { action: 'send', frames: [connectionError('Unknown message type')] },
  ],
  [
    'an unreadable first message',
    UNREADABLE,
    false,
    [],
    { action: 'send', frames: [connectionError('Unknown message type')] },
  ],
])('reacts to %s', (_, message, isAdmitted, running, action) => {
  expect(reactTo(message, { isAdmitted, running: new Set(running) })).toEqual(action);
});
