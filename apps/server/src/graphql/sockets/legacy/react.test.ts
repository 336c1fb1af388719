import { expect, it } from 'vitest';
import type { LegacyMessage } from './messages.ts';
import { type LegacyAct, replyTo } from './react.ts';

const INIT: LegacyMessage = { type: 'connection_init', payload: { headers: {} } };
const START: LegacyMessage = { type: 'start', id: '1', payload: { query: '{a}' } };
const STOP: LegacyMessage = { type: 'stop', id: '1' };
const NONSENSE: LegacyMessage = { type: 'unreadable', why: 'It is nonsense' };

const connectionError = (text: string) => `{"type":"connection_error","payload":"${text}"}`;
const startFailed = (text: string): LegacyAct => ({
  act: 'say',
  frames: [
    `{"id":"1","type":"error","payload":{"errors":[{"message":"${text}","extensions":{"path":"$","code":"start-failed"}}]}}`,
    '{"id":"1","type":"complete"}',
  ],
});

it.each<[string, LegacyMessage, boolean, string[], LegacyAct]>([
  ['the first message', INIT, false, [], { act: 'admit', params: { headers: {} } }],
  [
    'another first message',
    INIT,
    true,
    [],
    { act: 'say', frames: [connectionError('The connection is initialised already')] },
  ],
  [
    'a start before the first message',
    START,
    false,
    [],
    startFailed('start received before the connection is initialised'),
  ],
  ['a start', START, true, ['2'], { act: 'start', id: '1', request: { query: '{a}' } }],
  [
    'a start under an id that is taken',
    START,
    true,
    ['1'],
    startFailed('an operation already exists with this id: 1'),
  ],
  ['a stop', STOP, true, ['1'], { act: 'stop', id: '1' }],
  ['a stop of nothing', STOP, true, [], { act: 'stop', id: '1' }],
  ['a goodbye', { type: 'connection_terminate' }, true, ['1'], { act: 'hang-up' }],
  ['nonsense', NONSENSE, true, [], { act: 'say', frames: [connectionError('It is nonsense')] }],
  [
    'nonsense at first',
    NONSENSE,
    false,
    [],
    { act: 'say', frames: [connectionError('It is nonsense')] },
  ],
])('answers %s', (_, message, isAdmitted, running, act) => {
  expect(replyTo(message, { isAdmitted, running: new Set(running) })).toEqual(act);
});
