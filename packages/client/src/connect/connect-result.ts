import { type DependentApp, decodeDependentApps, isRecord } from '@longshore/contract';
import type { RequestError } from '../graphql/request-result.ts';

/** Why a call to the integrations service failed. `message` is 'API error (status): body'. Spec §8. */
export type ConnectError = RequestError & {
  /** The sentence to show, where the server said one. */
  serverMessage?: string;
  /** When it is worth to try again. */
  retryAt?: string;
  /** Which apps use what was to be deleted. */
  apps?: DependentApp[];
};

export type ConnectResult<Data> = { ok: true; data: Data } | { ok: false; error: ConnectError };

/** Reads an answer; 204 is an empty one. What is no answer of ours is a failure. Spec §7. */
export async function readConnect<Data>(
  response: Response,
  decode: (body: unknown) => Data | undefined,
): Promise<ConnectResult<Data>> {
  const { status } = response;
  const text = await response.text();
  const body = status === 204 ? undefined : parseJson(text);
  if (!response.ok) return { ok: false, error: connectError(status, text, body) };
  const data = decode(body);
  return data === undefined
    ? { ok: false, error: { status: 0, error: 'invalid-response', message: NOT_UNDERSTOOD } }
    : { ok: true, data };
}

/** Spec §8. */
export function noToken(): ConnectResult<never> {
  const message = 'No access token available';
  return { ok: false, error: { status: 401, error: 'no-token', message, serverMessage: message } };
}

const NOT_UNDERSTOOD = 'The answer cannot be understood';

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
