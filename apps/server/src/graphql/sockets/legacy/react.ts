import type { OperationRequest } from '../../operation.ts';
import type { LegacyMessage } from './messages.ts';
import { completeFrame, connectionError, errorFrame } from './messages.ts';

export type LegacyState = { isAdmitted: boolean; running: { has(id: string): boolean } };

export type LegacyAction =
  | { action: 'admit'; params: unknown }
  | { action: 'start'; id: string; request: OperationRequest }
  | { action: 'stop'; id: string }
  | { action: 'send'; frames: string[] }
  | { action: 'close' };

/** The rules of the legacy subprotocol: what to do about a message. */
export function reactTo(
  message: LegacyMessage,
  { isAdmitted, running }: LegacyState,
): LegacyAction {
  switch (message.type) {
    case 'connection_init':
      return isAdmitted
        ? send(connectionError('The connection is initialised already'))
        : { action: 'admit', params: message.payload };
    case 'start': {
      const { id, payload } = message;
      if (!isAdmitted)
        return startFailed(id, 'start received before the connection is initialised');
      if (running.has(id))
        return startFailed(id, `an operation already exists with this id: ${id}`);
      return { action: 'start', id, request: payload };
    }
    case 'stop':
      return { action: 'stop', id: message.id };
    case 'connection_terminate':
      return { action: 'close' };
    case 'unreadable':
      return send(connectionError(message.why));
  }
}

function startFailed(id: string, message: string): LegacyAction {
  const error = { message, extensions: { path: '$', code: 'start-failed' } } as const;
  return send(errorFrame(id, [error]), completeFrame(id));
}

function send(...frames: string[]): LegacyAction {
  return { action: 'send', frames };
}
