import { CloseCode } from 'graphql-ws';

export type Goodbye = readonly [code: number, reason: string];

/** After the first three, clients of either dialect connect again. */
export const GOODBYES = {
  forbidden: [CloseCode.Forbidden, 'Forbidden'],
  tryLater: [1013, 'Try again later'],
  goingAway: [1001, 'Going away'],
  crowded: [CloseCode.TooManyInitialisationRequests, 'Too many connections'],
  initTimeout: [CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout'],
  refused: [CloseCode.BadRequest, 'Forbidden'],
  done: [1000, ''],
  internal: [CloseCode.InternalServerError, 'Internal server error'],
} as const satisfies Record<string, Goodbye>;
