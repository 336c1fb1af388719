/** Everything the ingress has to say in an app's stead. */
export type Notice =
  | 'unknown'
  | 'starting'
  | 'hibernated'
  | 'failed'
  | 'busy'
  | 'unreachable'
  | 'timed-out'
  | 'bad-request'
  | 'unsupported';

export type NoticeText = {
  status: number;
  title: string;
  advice: string;
  /** When it makes sense for a program to ask again. */
  retryAfterSeconds?: number;
  /** When the page asks for its address again by itself. */
  refreshSeconds?: number;
  /** Something is being done about it, and the page shows that. */
  isUnderWay?: true;
};

export const NOTICES: Record<Notice, NoticeText> = {
  unknown: {
    status: 404,
    title: 'No app lives at this address.',
    advice: 'Check the spelling, or look the address up in the console.',
  },
  starting: {
    status: 503,
    title: 'This app is starting.',
    advice: 'It appears here by itself as soon as it answers.',
    retryAfterSeconds: 3,
    refreshSeconds: 1,
    isUnderWay: true,
  },
  hibernated: {
    status: 503,
    title: 'This app is hibernated.',
    advice: 'Wake it in the console to use it.',
  },
  failed: {
    status: 503,
    title: 'This app is not running.',
    advice: 'Its page in the console says why. Here it appears as soon as it runs again.',
    retryAfterSeconds: 10,
    refreshSeconds: 10,
  },
  busy: {
    status: 503,
    title: 'This app has too many visitors right now.',
    advice: 'This page tries again by itself.',
    retryAfterSeconds: 3,
    refreshSeconds: 3,
  },
  unreachable: {
    status: 502,
    title: 'This app did not answer.',
    advice: 'It may be restarting. Try again in a moment, or look at its logs in the console.',
  },
  'timed-out': {
    status: 504,
    title: 'This app took too long to answer.',
    advice: 'Its logs in the console may say why.',
  },
  'bad-request': {
    status: 400,
    title: 'This request cannot be understood.',
    advice: 'The client that sent it made a mistake.',
  },
  unsupported: {
    status: 501,
    title: 'This transfer coding is not supported.',
    advice: 'Send the body with a length, or chunked.',
  },
};
