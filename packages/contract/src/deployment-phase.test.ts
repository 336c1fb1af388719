import { expect, it } from 'vitest';
import { DEPLOYMENT_PHASES, phaseOf, progressMessage } from './deployment-phase.ts';

it.each(DEPLOYMENT_PHASES)(
  'the console finds the phase %s in the message of the server',
  (phase) => {
    expect(phaseOf(progressMessage(phase))).toBe(phase);
  },
);

it.each(['', 'Reconcile: stopping', 'Something else'])(
  '%j is not yet in a later phase',
  (message) => {
    expect(phaseOf(message)).toBe('queued');
  },
);
