import { parseStatusMessage, progressMessage } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import type { Reason } from '../engines/failure.ts';
import { FAILURE_MESSAGES, isRetried } from '../engines/failure-messages.ts';
import { failureMessage } from './messages.ts';

const REASONS = Object.keys(FAILURE_MESSAGES) as Reason[];

describe('failureMessage', () => {
  it.each(REASONS)('has a message for %s that the console can show', (reason) => {
    const message = failureMessage(reason, ['exit code 1', 'a build job backoff image']);
    const { headline, nextStep, evidence } = parseStatusMessage('backoff', message);
    const isBuild = reason.startsWith('build-');
    const isPull = reason === 'image-not-found' || reason === 'image-refused';
    expect(headline === 'Failed to build from source, check logs for details').toBe(isBuild);
    expect(headline === 'Failed to pull image, does it exist?').toBe(isPull);
    expect(headline).toMatch(/^[A-Z]/);
    expect(evidence).toEqual(['exit code 1', 'a build job backoff image']);
    expect(nextStep).toBe(FAILURE_MESSAGES[reason].whatToDo);
    expect(nextStep).toMatch(/^[A-Z].*\.$/);
  });

  it('has a different message for every reason', () => {
    const messages = REASONS.map((reason) => failureMessage(reason, []));
    expect(new Set(messages).size).toBe(REASONS.length);
  });
});

it('retries only failures that may resolve without an edit', () => {
  expect(REASONS.filter(isRetried)).toEqual([
    'repository-unreachable',
    'builder-image-missing',
    'registry-unreachable',
    'app-exited',
    'app-killed',
    'out-of-memory',
    'crash-loop',
    'process-crashed',
    'process-over-quota',
    'disk-full',
    'no-room',
    'cluster-quota-reached',
    'cluster-down',
    'engine-down',
    'engine-failed',
  ]);
});

it('is shown in the console with "deploy" instead of "reconcile"', () => {
  expect(parseStatusMessage('syncing', progressMessage('building')).headline).toBe(
    'Deploy: building',
  );
  expect(parseStatusMessage('syncing', progressMessage('queued')).headline).toBe(
    'Waiting to deploy',
  );
});
