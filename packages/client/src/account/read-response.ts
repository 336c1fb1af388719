import { type AuthError, clientError, isRecord } from '@longshore/contract';
import type { AuthResponse } from '../auth/auth-api.ts';
import type { RequestResult } from '../http/request-result.ts';

export function withoutData(response: AuthResponse): RequestResult<undefined> {
  return response.ok ? { ok: true, data: undefined } : response;
}

/** An unexpected body counts as a network error: it does not come from the auth service. */
export function readData<Data>(
  response: AuthResponse,
  isExpected: (body: unknown) => body is Data,
): RequestResult<Data> {
  if (!response.ok) return response;
  return isExpected(response.body)
    ? { ok: true, data: response.body }
    : failure(clientError('network'));
}

/** Reads a list from the property `name` of the body. */
export function readList<Row>(
  response: AuthResponse,
  name: string,
  isExpected: (value: unknown) => value is Row,
): RequestResult<Row[]> {
  if (!response.ok) return response;
  const list = isRecord(response.body) ? response.body[name] : undefined;
  return Array.isArray(list) && list.every(isExpected)
    ? { ok: true, data: list }
    : failure(clientError('network'));
}

export function failure(error: AuthError): { ok: false; error: AuthError } {
  return { ok: false, error };
}
