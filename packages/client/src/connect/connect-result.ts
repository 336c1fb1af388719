import { type DependentApp, decodeDependentApps, isRecord } from '@longshore/contract';
import type { RequestError } from '../http/request-result.ts';

/** Why a request to the integrations service failed. `message` is 'API error (status): body' (spec-map 8.2.1). */
export type ConnectError = RequestError & {
  /** The text to show, if the server sent one. */
  serverMessage?: string;
  /** When a retry may succeed. */
  retryAt?: string;
  /** The apps that use the integration to be deleted. */
  apps?: DependentApp[];
};

export type ConnectResult<Data> = { ok: true; data: Data } | { ok: false; error: ConnectError };

/** Reads a response; 204 is empty (spec-map 7.5.10). An unexpected body is a failure. */
export async function readConnectResponse<Data>(
  response: Response,
  decode: (body: unknown) => Data | undefined,
): Promise<ConnectResult<Data>> {
  const { status } = response;
  const text = await response.text();
  const body = status === 204 ? undefined : parseJson(text);
  if (!response.ok) return { ok: false, error: connectError(status, text, body) };
  const data = decode(body);
  return data === undefined
    ? { ok: false, error: { status: 0, error: 'invalid-response', message: UNEXPECTED_RESPONSE } }
    : { ok: true, data };
}

/** Exact text (spec-map 8.2.2). */
export function noToken(): ConnectResult<never> {
  const message = 'No access token available';
  return { ok: false, error: { status: 401, error: 'no-token', message, serverMessage: message } };
}

const UNEXPECTED_RESPONSE = 'Unexpected response from the server';

function connectError(status: number, text: string, body: unknown): ConnectError {
  const { error, message, retryAt } = isRecord(body) ? body : {};
  const apps = decodeDependentApps(body);
  return {
    status,
    error: typeof error === 'string' ? error : 'unknown',
    message: `API error (${status}): ${text}`,
    ...(typeof message === 'string' ? { serverMessage: message } : {}),
    ...(typeof retryAt === 'string' ? { retryAt } : {}),
    ...(apps.length > 0 ? { apps } : {}),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
