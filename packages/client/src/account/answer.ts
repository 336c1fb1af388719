import { type AuthError, clientError, isRecord } from '@longshore/contract';
import type { AuthAnswer } from '../auth/auth-api.ts';
import type { Answer } from './account.ts';

export function done(answer: AuthAnswer): Answer<undefined> {
  return answer.ok ? { ok: true, value: undefined } : answer;
}

/** A body that is not what was asked for comes from somebody else on the line. */
export function readAnswer<Value>(
  answer: AuthAnswer,
  isExpected: (body: unknown) => body is Value,
): Answer<Value> {
  if (!answer.ok) return answer;
  return isExpected(answer.body)
    ? { ok: true, value: answer.body }
    : refused(clientError('network'));
}

/** Lists come below a name. */
export function readList<Value>(
  answer: AuthAnswer,
  name: string,
  isExpected: (value: unknown) => value is Value,
): Answer<Value[]> {
  if (!answer.ok) return answer;
  const list = isRecord(answer.body) ? answer.body[name] : undefined;
  return Array.isArray(list) && list.every(isExpected)
    ? { ok: true, value: list }
    : refused(clientError('network'));
}

export function refused(error: AuthError): { ok: false; error: AuthError } {
  return { ok: false, error };
}
