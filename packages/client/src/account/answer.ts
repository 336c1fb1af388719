import { type AuthError, clientError, isRecord } from '@longshore/contract';
import type { AuthAnswer } from '../auth/auth-api.ts';
import type { RequestResult } from '../graphql/request-result.ts';

export function done(answer: AuthAnswer): RequestResult<undefined> {
  return answer.ok ? { ok: true, data: undefined } : answer;
}

/** A body that is not what was asked for comes from somebody else on the line. */
export function readAnswer<Value>(
  answer: AuthAnswer,
  isExpected: (body: unknown) => body is Value,
): RequestResult<Value> {
  if (!answer.ok) return answer;
  return isExpected(answer.body)
    ? { ok: true, data: answer.body }
    : refused(clientError('network'));
}

/** Lists come below a name. */
export function readList<Value>(
  answer: AuthAnswer,
  name: string,
  isExpected: (value: unknown) => value is Value,
): RequestResult<Value[]> {
  if (!answer.ok) return answer;
  const list = isRecord(answer.body) ? answer.body[name] : undefined;
  return Array.isArray(list) && list.every(isExpected)
    ? { ok: true, data: list }
    : refused(clientError('network'));
}

export function refused(error: AuthError): { ok: false; error: AuthError } {
  return { ok: false, error };
}
