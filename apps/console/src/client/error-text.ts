import type { ConnectError, RequestError } from '@longshore/client';

/**
 * The server's message. Empty when the response had none: the screen then shows its own text instead of
 * 'API error (status): body' (spec-map 8.2.1).
 */
export function errorText(error: RequestError | ConnectError): string {
  if ('serverMessage' in error && error.serverMessage !== undefined) return error.serverMessage;
  return error.message.startsWith('API error') ? '' : error.message;
}
