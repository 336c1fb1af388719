import { CloseCode } from 'graphql-ws';

export type CloseReason = readonly [code: number, reason: string];

/** After the first three, clients of either subprotocol reconnect. */
export const CLOSE_REASONS = {
  forbidden: [CloseCode.Forbidden, 'Forbidden'],
  tryLater: [1013, 'Try again later'],
  goingAway: [1001, 'Going away'],
  tooManyConnections: [CloseCode.TooManyInitialisationRequests, 'Too many connections'],
  initTimeout: [CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout'],
  refused: [CloseCode.BadRequest, 'Forbidden'],
  done: [1000, ''],
  internal: [CloseCode.InternalServerError, 'Internal server error'],
} as const satisfies Record<string, CloseReason>;
