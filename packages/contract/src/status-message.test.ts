import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explained, statusMessage } from './status-message.ts';

const IMAGE = 'Failed to pull image, does it exist?';
const BUILD = 'Failed to build from source, check logs for details';

describe('statusMessage', () => {
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
    expect(statusMessage(status, message)).toEqual({ headline, evidence: [] });
  });

  it('keeps the lines below the sentence as they are', () => {
    const message = 'The build job failed.\nnpm ERR! reconcile failed\n\n  exit code 1';
    expect(statusMessage('backoff', message)).toEqual({
      headline: BUILD,
      evidence: ['npm ERR! reconcile failed', '', '  exit code 1'],
    });
  });

  it('tells what to do apart from the evidence, once', () => {
    const message = explained('The app stopped.', 'Read its log.', ['→ exit code 1', 'bye']);
    expect(statusMessage('backoff', message)).toEqual({
      headline: 'The app stopped.',
      nextStep: 'Read its log.',
      evidence: ['→ exit code 1', 'bye'],
    });
  });

  it('is not misled by what an app prints', () => {
    const message = 'The app stopped.\nbuild job done\nimage backoff';
    expect(statusMessage('backoff', message)).toEqual({
      headline: 'The app stopped.',
      evidence: ['build job done', 'image backoff'],
    });
  });

  it('never changes evidence, whatever the server says', () => {
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
          const { nextStep, evidence } = statusMessage(status, lines.join('\n'));
          const below = nextStep === undefined ? evidence : [`→ ${nextStep}`, ...evidence];
          expect(below).toEqual(lines.slice(1));
        },
      ),
    );
  });
});
