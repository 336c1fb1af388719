/** Why the proxy responds instead of an app. Sent to clients as `error` in JSON responses. */
export type ProxyErrorCode =
  | 'unknown'
  | 'starting'
  | 'hibernated'
  | 'cannot-wake'
  | 'failed'
  | 'busy'
  | 'unreachable'
  | 'timed-out'
  | 'bad-request'
  | 'unsupported'
  | 'too-large'
  | 'slow-upload';

export type ErrorResponse = {
  status: number;
  title: string;
  advice: string;
  /** Sent as the Retry-After header. */
  retryAfterSeconds?: number;
  /** The page reloads itself after this time. */
  refreshSeconds?: number;
  /** The page shows a progress bar. */
  isInProgress?: true;
};

export const ERROR_RESPONSES: Record<ProxyErrorCode, ErrorResponse> = {
  unknown: {
    status: 404,
    title: 'No app found at this address.',
    advice: 'Check the spelling, or look up the address in the console.',
  },
  starting: {
    status: 503,
    title: 'This app is starting.',
    advice: 'This page reloads automatically when the app is ready.',
    retryAfterSeconds: 3,
    refreshSeconds: 1,
    isInProgress: true,
  },
  hibernated: {
    status: 503,
    title: 'This app is hibernated.',
    advice: 'Wake it in the console to use it.',
  },
  'cannot-wake': {
    status: 503,
    title: 'This app is hibernated and cannot wake up now.',
    advice:
      'Its account has reached a limit for running apps. The owner can see the limit in the console. This page reloads automatically.',
    retryAfterSeconds: 10,
    refreshSeconds: 10,
  },
  failed: {
    status: 503,
    title: 'This app is not running.',
    advice: 'Open the app in the console to see why. This page reloads automatically.',
    retryAfterSeconds: 10,
    refreshSeconds: 10,
  },
  busy: {
    status: 503,
    title: 'This app has too many requests right now.',
    advice: 'This page reloads automatically.',
    retryAfterSeconds: 3,
    refreshSeconds: 3,
  },
  unreachable: {
    status: 502,
    title: 'This app did not respond.',
    advice: 'It may be restarting. Try again in a moment, or check its logs in the console.',
  },
  'timed-out': {
    status: 504,
    title: 'This app took too long to respond.',
    advice: 'Check its logs in the console.',
  },
  'bad-request': {
    status: 400,
    title: 'This request is invalid.',
    advice: 'The client sent a malformed request.',
  },
  unsupported: {
    status: 501,
    title: 'This transfer coding is not supported.',
    advice: 'Send the body with a Content-Length, or chunked.',
  },
  'too-large': {
    status: 413,
    title: 'This request is too large.',
    advice: 'The app accepts smaller bodies only.',
  },
  'slow-upload': {
    status: 408,
    title: 'This upload is too slow.',
    advice: 'Check your connection, then try again.',
  },
};
