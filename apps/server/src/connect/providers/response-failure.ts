import { isRecord } from '@longshore/contract';
import type { Secret } from '../../secrets/secret.ts';
import { type FailureReason, ProviderFailure } from './provider-failure.ts';

const DETAIL_MAX_LENGTH = 200;

const MIN_WAIT_MS = 1_000;
/** If the provider sends no time. GitHub's documentation requires at least one minute. */
const DEFAULT_WAIT_MS = 60_000;
/** A later time is a mistake or malicious. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

type ResponseHead = Pick<Response, 'status' | 'headers'>;

/** Converts an error response of any provider. */
export function responseFailure(
  response: ResponseHead,
  text: string,
  { now, token }: { now: number; token: Secret },
): ProviderFailure {
  const detail = detailOf(text, token);
  const detailOption = detail === '' ? {} : { detail };
  return isRateLimited(response)
    ? new ProviderFailure('rate-limited', {
        retryAt: retryAt(response.headers, now),
        ...detailOption,
      })
    : new ProviderFailure(reasonOf(response.status), detailOption);
}

function reasonOf(status: number): FailureReason {
  if (status === 401) return 'unauthorized';
  if (status === 404) return 'not-found';
  return status >= 500 || status < 400 ? 'unreachable' : 'refused';
}

/** GitLab sends `message`, as text or per field, or `error`; GitHub and Gitea send `message`, GitHub also `errors`. */
function detailOf(text: string, token: Secret): string {
  const body = parseJson(text);
  if (!isRecord(body)) return '';
  const message = body.error_description ?? body.message ?? body.error ?? '';
  const messages = [message, ...(Array.isArray(body.errors) ? body.errors.map(messageIn) : [])];
  return messages
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join(' ')
    .replaceAll(token.reveal(), '[secret]')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, DETAIL_MAX_LENGTH);
}

function messageIn(error: unknown): unknown {
  return isRecord(error) ? (error.message ?? '') : error;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** GitHub also uses 403, which can mean other things as well. */
export function isRateLimited({ status, headers }: ResponseHead): boolean {
  const isLimitReached = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  return status === 429 || (status === 403 && isLimitReached);
}

/** Reads `Retry-After`, in seconds or as a date, or the end of the rate-limit window, in seconds since 1970. */
export function retryAt(headers: Headers, now: number): Date {
  const after = headers.get('retry-after') ?? '';
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset') ?? '';
  const at = parseRetryAfter(after, now) ?? secondsToMs(reset) ?? now + DEFAULT_WAIT_MS;
  return new Date(Math.min(Math.max(at, now + MIN_WAIT_MS), now + MAX_WAIT_MS));
}

function parseRetryAfter(after: string, now: number): number | undefined {
  const delayMs = secondsToMs(after);
  if (delayMs !== undefined) return now + delayMs;
  const date = after.endsWith('GMT') ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function secondsToMs(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : undefined;
}
