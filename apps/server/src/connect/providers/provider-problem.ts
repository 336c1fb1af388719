import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../../http/problem.ts';
import type { FailureReason, ProviderFailure } from './provider-failure.ts';

type Told = { status: ContentfulStatusCode; code: string; message: string };

/** Never 401: it is not the caller's session that has ended. */
const TOLD: Record<FailureReason, Told> = {
  unauthorized: {
    status: 409,
    code: 'reconnect-needed',
    message: 'The provider does not accept this connection any more. Please reconnect it.',
  },
  'not-found': {
    status: 404,
    code: 'not-found',
    message: 'The provider has nothing of this name, or does not let this account see it.',
  },
  'rate-limited': {
    status: 429,
    code: 'rate-limited',
    message: 'The provider takes no more requests for now.',
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
  refused: { status: 422, code: 'provider-refused', message: 'The provider refused.' },
};

/** What the provider said itself is of use here only; elsewhere it repeats our sentence. */
const WITH_DETAIL: FailureReason[] = ['refused', 'unreachable', 'not-allowed'];

/** What people are told when a provider did not do as asked. */
export function providerProblem(failure: ProviderFailure): Problem {
  const { reason, retryAt, detail } = failure;
  const { status, code, message } = TOLD[reason];
  const said = detail !== undefined && WITH_DETAIL.includes(reason) ? ` (${detail})` : '';
  const cause = { cause: failure };
  if (retryAt === undefined) return new Problem(status, code, message + said, cause);
  const again = `Please try again after ${retryAt.toISOString().slice(11, 16)} UTC.`;
  return new Problem(status, code, `${message} ${again}`, {
    ...cause,
    details: { retryAt: retryAt.toISOString() },
    headers: { 'retry-after': retryAt.toUTCString() },
  });
}
