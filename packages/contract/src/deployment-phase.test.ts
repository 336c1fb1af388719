import { expect, it } from 'vitest';
import { DEPLOYMENT_PHASES, phaseOf, progressMessage, queueMessage } from './deployment-phase.ts';

it.each(DEPLOYMENT_PHASES)(
  'the console finds the phase %s in the message of the server',
  (phase) => {
    expect(phaseOf(progressMessage(phase))).toBe(phase);
  },
);

it.each(['', 'Reconcile: stopping', queueMessage(2), 'Something else'])(
  '%j is not yet in a later phase',
  (message) => {
    expect(phaseOf(message)).toBe('queued');
  },
);

it.each([
  [1, 'next'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [21, '21st'],
])('a build at place %i is %s in the queue', (place, text) => {
  expect(queueMessage(place)).toBe(`Waiting for a free build slot: ${text} in the queue`);
});
