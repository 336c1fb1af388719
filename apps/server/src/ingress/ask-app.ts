import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Address } from '../engines/engine.ts';
import { connectTo } from './connect-to.ts';
import type { KeptConnections } from './kept-connections.ts';
import type { Notice } from './notices.ts';
import type { TargetUse } from './target-use.ts';
import type { IsTrusted } from './visitor.ts';

const MAX_ATTEMPTS = 2;

export type AskAppDeps = {
  kept: KeptConnections;
  use: TargetUse;
  inFlightPerTarget: number;
  /** Undefined: nobody is believed who asks in somebody else's stead. */
  isTrusted: IsTrusted | undefined;
  /** Grows with each question, so that targets take turns. */
  nextTurn(): number;
};

/** One request to an app, and what becomes of it. Exactly one of the last three is called, once, unless aborted. */
export type Question = {
  targets: Address[];
  method: string;
  path: string;
  headers: string[];
  /** May be asked a second time when the first got no answer. */
  isRepeatable: boolean;
  isUpgrade: boolean;
  opened(outgoing: ClientRequest): void;
  answered(incoming: IncomingMessage, outgoing: ClientRequest): void;
  upgraded(
    incoming: IncomingMessage,
    tunnel: { socket: Socket; head: Buffer; target: Address },
  ): void;
  failed(notice: Notice): void;
};

/** Asks one target, then once more on a fresh connection if there was no answer. Answers how to give up. */
export function askApp(deps: AskAppDeps, question: Question): () => void {
  const turn = deps.nextTurn();
  let isOver = false;
  let outgoing: ClientRequest | undefined;

  function finish(): boolean {
    const isFirst = !isOver;
    isOver = true;
    return isFirst;
  }

  function attempt(count: number): void {
    const target = freeTarget(deps, question.targets, turn + count);
    if (target === undefined) {
      if (finish()) question.failed('busy');
      return;
    }
    const mayReuse = question.isRepeatable && !question.isUpgrade && count === 0;
    const options = requestOptions(question, target, mayReuse ? deps.kept : undefined);
    const sent = send(options, deps.use.begin(target));
    outgoing = sent;
    sent.on('error', () => {
      if (isOver) return;
      if (question.isRepeatable && count + 1 < MAX_ATTEMPTS) attempt(count + 1);
      else if (finish()) question.failed('unreachable');
    });
    sent.on('response', (incoming) => {
      if (finish()) question.answered(incoming, sent);
      else incoming.destroy();
    });
    sent.on('upgrade', (incoming, socket, head) => {
      const isFirst = finish();
      if (isFirst && question.isUpgrade) question.upgraded(incoming, { socket, head, target });
      else socket.destroy();
      if (isFirst && !question.isUpgrade) question.failed('unreachable');
    });
    question.opened(sent);
  }

  attempt(0);
  return () => {
    isOver = true;
    outgoing?.destroy();
  };
}

/** Takes turns, and passes over a target that has as much as it may. */
function freeTarget(
  { use, inFlightPerTarget }: AskAppDeps,
  targets: Address[],
  turn: number,
): Address | undefined {
  for (let step = 0; step < targets.length; step += 1) {
    const target = targets[(turn + step) % targets.length];
    if (target !== undefined && use.count(target) < inFlightPerTarget) return target;
  }
  return undefined;
}

/**
 * A request that cannot be sent again never rides a kept connection: the app may be closing it just now,
 * and nobody could tell whether the request was seen.
 */
function requestOptions(
  { method, path, headers, isUpgrade }: Question,
  target: Address,
  kept: KeptConnections | undefined,
): RequestOptions {
  const { host, port } = target;
  const options: RequestOptions = { host, port, method, path, headers };
  if (kept !== undefined) options.agent = kept;
  else options.createConnection = () => connectTo(target, isUpgrade);
  return options;
}

function send(options: RequestOptions, endUse: () => void): ClientRequest {
  try {
    return httpRequest(options).on('close', endUse);
  } catch (error) {
    endUse();
    throw error;
  }
}
