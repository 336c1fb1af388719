import { expect, it } from 'vitest';
import { problemBody } from '../../http/problem.ts';
import { type FailureReason, ProviderFailure } from './provider-failure.ts';
import { providerProblem } from './provider-problem.ts';

it.each<[FailureReason, number, string]>([
  ['unauthorized', 409, 'reconnect-needed'],
  ['not-found', 404, 'not-found'],
  ['rate-limited', 429, 'rate-limited'],
  ['unreachable', 502, 'provider-unreachable'],
  ['not-allowed', 400, 'address-not-allowed'],
  ['refused', 422, 'provider-refused'],
])('converts %s to %i %s', (reason, status, error) => {
  expect(problemBody(providerProblem(new ProviderFailure(reason)))).toMatchObject({
    status,
    error,
  });
});

it('contains the time for the next attempt', () => {
  const retryAt = new Date('2026-11-15T12:34:56Z');
  const problem = providerProblem(new ProviderFailure('rate-limited', { retryAt }));
  expect(problemBody(problem)).toEqual({
    status: 429,
    error: 'rate-limited',
    message: 'The rate limit of the provider is reached. Please try again after 12:34 UTC.',
    retryAt: '2026-11-15T12:34:56.000Z',
  });
  expect(problem.headers).toEqual({ 'retry-after': 'Sun, 15 Nov 2026 12:34:56 GMT' });
});

it('contains the message of the provider if it refused the request, not if it found nothing', () => {
  const refused = new ProviderFailure('refused', { detail: 'Key is already in use' });
  expect(providerProblem(refused).message).toBe(
    'The provider refused the request. (Key is already in use)',
  );
  const unknown = new ProviderFailure('not-found', { detail: '404 Project Not Found' });
  expect(providerProblem(unknown).message).not.toContain('404');
});
