import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../../http/problem.ts';
import type { FailureReason, ProviderFailure } from './provider-failure.ts';

type ProblemTemplate = { status: ContentfulStatusCode; code: string; message: string };

/** Never 401: that would mean the caller's own session. */
const PROBLEMS: Record<FailureReason, ProblemTemplate> = {
  unauthorized: {
    status: 409,
    code: 'reconnect-needed',
    message: 'The provider no longer accepts this connection. Please reconnect it.',
  },
  'not-found': {
    status: 404,
    code: 'not-found',
    message: 'Not found at the provider, or this account has no access to it.',
  },
  'rate-limited': {
    status: 429,
    code: 'rate-limited',
    message: 'The rate limit of the provider is reached.',
  },
  unreachable: {
    status: 502,
    code: 'provider-unreachable',
    message: 'The provider could not be reached.',
  },
  'not-allowed': {
    status: 400,
    code: 'address-not-allowed',
    message: 'This address is not allowed.',
  },
  refused: {
    status: 422,
    code: 'provider-refused',
    message: 'The provider refused the request.',
  },
};

/** For these reasons the provider's own message adds information. */
const WITH_DETAIL: FailureReason[] = ['refused', 'unreachable', 'not-allowed'];

/** The error response for a failed request to a provider. */
export function providerProblem(failure: ProviderFailure): Problem {
  const { reason, retryAt, detail } = failure;
  const { status, code, message } = PROBLEMS[reason];
  const suffix = detail !== undefined && WITH_DETAIL.includes(reason) ? ` (${detail})` : '';
  const cause = { cause: failure };
  if (retryAt === undefined) return new Problem(status, code, message + suffix, cause);
  const retryText = `Please try again after ${retryAt.toISOString().slice(11, 16)} UTC.`;
  return new Problem(status, code, `${message} ${retryText}`, {
    ...cause,
    details: { retryAt: retryAt.toISOString() },
    headers: { 'retry-after': retryAt.toUTCString() },
  });
}
