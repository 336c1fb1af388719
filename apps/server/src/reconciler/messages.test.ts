import { statusMessage } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import type { Reason } from '../engines/failure.ts';
import { exitSentence, failureMessage, isRetried, progressMessage } from './messages.ts';

const REASONS: Reason[] = [
  'repository-not-found',
  'repository-refused',
  'repository-unreachable',
  'repository-too-large',
  'source-not-allowed',
  'ref-not-found',
  'integration-not-found',
  'integration-elsewhere',
  'integration-expired',
  'host-key-changed',
  'nothing-to-build',
  'build-failed',
  'build-timed-out',
  'build-out-of-memory',
  'image-unsupported',
  'image-not-found',
  'image-refused',
  'image-wrong-architecture',
  'registry-unreachable',
  'owner-not-allowed',
  'port-never-answered',
  'start-command-missing',
  'app-exited',
  'out-of-memory',
  'disk-full',
  'engine-down',
  'engine-failed',
];

describe('failureMessage', () => {
  it.each(REASONS)('has one sentence of its own for %s, and the console shows it', (reason) => {
    const message = failureMessage(reason, ['exit code 1', 'a build job backoff image']);
    const { headline, evidence } = statusMessage('backoff', message);
    const isBuild = reason.startsWith('build-');
    const isPull = reason === 'image-not-found' || reason === 'image-refused';
    expect(headline === 'Failed to build from source, check logs for details').toBe(isBuild);
    expect(headline === 'Failed to pull image, does it exist?').toBe(isPull);
    expect(headline).toMatch(/^[A-Z]/);
    expect(evidence).toEqual(['exit code 1', 'a build job backoff image']);
  });

  it('tells every reason apart', () => {
    const sentences = REASONS.map((reason) => failureMessage(reason, []));
    expect(new Set(sentences).size).toBe(REASONS.length);
  });
});

it('tries again only what may pass by itself', () => {
  expect(REASONS.filter(isRetried)).toEqual([
    'repository-unreachable',
    'registry-unreachable',
    'app-exited',
    'out-of-memory',
    'disk-full',
    'engine-down',
    'engine-failed',
  ]);
});

it('says deploy to the user where the server says reconcile', () => {
  expect(statusMessage('syncing', progressMessage('building')).headline).toBe('Deploy: building');
  expect(statusMessage('syncing', progressMessage('queued')).headline).toBe('Waiting to deploy');
});

it.each([
  [{ code: 3, signal: undefined }, 'Its exit code was 3.'],
  [{ code: undefined, signal: 'SIGKILL' }, 'It was ended by SIGKILL.'],
  [{ code: undefined, signal: undefined }, 'Its exit code is not known.'],
])('words an exit %o', (exit, sentence) => {
  expect(exitSentence({ ...exit, at: new Date() })).toBe(sentence);
});
