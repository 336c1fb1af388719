import { isRecord } from '@longshore/contract';
import type { Secret } from '../../secrets/secret.ts';
import { type FailureReason, ProviderFailure } from './provider-failure.ts';
import { isRateLimited, retryAt } from './rate-limit.ts';

const DETAIL_MAX_LENGTH = 200;

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
