import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badgeOf, formatStatusMessage, isStatus, parseStatusMessage } from './status.ts';

const IMAGE = 'Failed to pull image, does it exist?';
const BUILD = 'Failed to build from source, check logs for details';

describe('badgeOf', () => {
  it.each([
    ['synced', 1, 'Ready'],
    ['syncing', 1, 'Loading'],
    ['backoff', 1, 'Error'],
    ['synced', 0, 'Hibernated'],
    ['backoff', 0, 'Hibernated'],
    ['hibernated', 0, 'Hibernated'],
    ['', 0, 'Hibernated'],
    ['syncing', 0, 'Hibernated'],
    ['', 1, 'Unknown'],
    ['degraded', 1, 'Unknown'],
    ['Synced', 1, 'Unknown'],
    ['toString', 1, 'Unknown'],
    ['__proto__', 1, 'Unknown'],
  ])('shows status %j with %i instances as %s', (status, instances, badge) => {
    expect(badgeOf({ status, instances })).toBe(badge);
  });
});

describe('isStatus', () => {
  it.each(['synced', 'syncing', 'backoff'])('accepts %s', (status) => {
    expect(isStatus(status)).toBe(true);
  });

  it.each(['', 'hibernated', 'SYNCED', 'constructor'])('rejects %j', (status) => {
    expect(isStatus(status)).toBe(false);
  });
});

describe('parseStatusMessage', () => {
  it.each([
    ['backoff', 'Image pull is in backoff', IMAGE],
    ['backoff', 'ImagePullBackOff', IMAGE],
    ['backoff', 'Back-off pulling image "acme/shop"', IMAGE],
    ['backoff', 'The build job failed.', BUILD],
    ['backoff', 'Job shop-build-7 has failed', BUILD],
    ['backoff', 'BUILD JOB FAILED', BUILD],
    ['backoff', 'The image of the build job is in backoff', IMAGE],
    ['backoff', 'The image was not found', 'The image was not found'],
    ['backoff', 'Container is in backoff', 'Container is in backoff'],
    ['backoff', 'The build failed', 'The build failed'],
    ['backoff', 'The job failed', 'The job failed'],
    ['syncing', 'Image pull is in backoff', 'Image pull is in backoff'],
    ['synced', 'The build job passed', 'The build job passed'],
    ['syncing', 'Waiting to reconcile', 'Waiting to deploy'],
    ['syncing', 'Reconcile: building', 'Deploy: building'],
    ['synced', 'reconciled, will reconcile again', 'deployed, will deploy again'],
    ['backoff', 'Failed to reconcile', 'Failed to deploy'],
    ['synced', '', ''],
  ])('on %s shows “%s” as “%s”', (status, message, headline) => {
    expect(parseStatusMessage(status, message)).toEqual({ headline, evidence: [] });
  });

  it('keeps the lines below the headline unchanged', () => {
    const message = 'The build job failed.\nnpm ERR! reconcile failed\n\n  exit code 1';
    expect(parseStatusMessage('backoff', message)).toEqual({
      headline: BUILD,
      evidence: ['npm ERR! reconcile failed', '', '  exit code 1'],
    });
  });

  it('separates the next step from the evidence', () => {
    const message = formatStatusMessage('The app exited.', 'Check the logs.', [
      '→ exit code 1',
      'bye',
    ]);
    expect(parseStatusMessage('backoff', message)).toEqual({
      headline: 'The app exited.',
      nextStep: 'Check the logs.',
      evidence: ['→ exit code 1', 'bye'],
    });
  });

  it('ignores trigger words in the evidence', () => {
    const message = 'The app exited.\nbuild job done\nimage backoff';
    expect(parseStatusMessage('backoff', message)).toEqual({
      headline: 'The app exited.',
      evidence: ['build job done', 'image backoff'],
    });
  });

  it('never changes evidence', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('backoff', 'syncing', 'synced', 'other'),
        fc.array(
          fc.string({ unit: 'binary' }).map((line) => line.replaceAll('\n', '')),
          {
            minLength: 1,
          },
        ),
        (status, lines) => {
          const { nextStep, evidence } = parseStatusMessage(status, lines.join('\n'));
          const below = nextStep === undefined ? evidence : [`→ ${nextStep}`, ...evidence];
          expect(below).toEqual(lines.slice(1));
        },
      ),
    );
  });
});
