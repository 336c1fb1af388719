import { isRecord } from '@longshore/contract';
import type { Secret } from '../../secrets/secret.ts';
import { type FailureReason, ProviderFailure } from './provider-failure.ts';
import { isRateLimited, retryAt } from './rate-limit.ts';

const DETAIL_MAX_LENGTH = 200;

type Answered = Pick<Response, 'status' | 'headers'>;

/** What a refusal means, whichever provider it comes from. */
export function failureOfResponse(
  response: Answered,
  text: string,
  { now, token }: { now: number; token: Secret },
): ProviderFailure {
  const detail = detailOf(text, token);
  const told = detail === '' ? {} : { detail };
  return isRateLimited(response)
    ? new ProviderFailure('rate-limited', { retryAt: retryAt(response.headers, now), ...told })
    : new ProviderFailure(reasonOf(response.status), told);
}

function reasonOf(status: number): FailureReason {
  if (status === 401) return 'unauthorized';
  if (status === 404) return 'not-found';
  return status >= 500 || status < 400 ? 'unreachable' : 'refused';
}

/** GitLab says `message`, as a text or by field, or `error`; GitHub and Gitea say `message`, GitHub `errors` besides. */
function detailOf(text: string, token: Secret): string {
  const body = parseJson(text);
  if (!isRecord(body)) return '';
  const said = body.error_description ?? body.message ?? body.error ?? '';
  const sentences = [said, ...(Array.isArray(body.errors) ? body.errors.map(messageIn) : [])];
  return sentences
    .map((sentence) => (typeof sentence === 'string' ? sentence : JSON.stringify(sentence)))
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
