import { type AuthError, clientError } from '@longshore/contract';
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

export function refused(error: AuthError): { ok: false; error: AuthError } {
  return { ok: false, error };
}
