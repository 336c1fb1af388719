import type { OperationRequest } from '../../operation.ts';
import { completeFrame, connectionError, errorFrame } from './frames.ts';
import type { LegacyMessage } from './messages.ts';

export type LegacyState = { isAdmitted: boolean; running: { has(id: string): boolean } };

/** What a message asks for. */
export type LegacyAct =
  | { act: 'admit'; params: unknown }
  | { act: 'start'; id: string; request: OperationRequest }
  | { act: 'stop'; id: string }
  | { act: 'say'; frames: string[] }
  | { act: 'hang-up' };

/** The rules of the legacy dialect: what to do about a message. */
export function replyTo(message: LegacyMessage, { isAdmitted, running }: LegacyState): LegacyAct {
  switch (message.type) {
    case 'connection_init':
      return isAdmitted
        ? say(connectionError('The connection is initialised already'))
        : { act: 'admit', params: message.payload };
    case 'start': {
      const { id, payload } = message;
      if (!isAdmitted)
        return startFailed(id, 'start received before the connection is initialised');
      if (running.has(id))
        return startFailed(id, `an operation already exists with this id: ${id}`);
      return { act: 'start', id, request: payload };
    }
    case 'stop':
      return { act: 'stop', id: message.id };
    case 'connection_terminate':
      return { act: 'hang-up' };
    case 'unreadable':
      return say(connectionError(message.why));
  }
}

function startFailed(id: string, message: string): LegacyAct {
  const error = { message, extensions: { path: '$', code: 'start-failed' } };
  return say(errorFrame(id, [error]), completeFrame(id));
}

function say(...frames: string[]): LegacyAct {
  return { act: 'say', frames };
}
