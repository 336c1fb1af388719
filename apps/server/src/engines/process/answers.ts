import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Listener, listeners, listenersOf } from '../../processes/listeners.ts';
import { targeted } from '../../processes/sweep.ts';
import type { Address } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import type { EngineParts } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { exitEvidence, silence } from './evidence.ts';
import type { InstanceRecord } from './instance-record.ts';
import { lastLines } from './last-lines.ts';
import { appLayout } from './layout.ts';
import { targetOf } from './leftovers.ts';
import type { LiveInstance } from './live-instance.ts';

/** Asked often at first, for apps that start at once, then less and less. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 200;
const PAUSE_GROWTH = 1.3;
const CONNECT_MS = 1_000;
const EVIDENCE_LINES = 10;

/** Waits until the instance accepts a connection; websocket-only apps answer no more than that. */
export async function waitForAnswer(
  appId: string,
  live: LiveInstance,
  parts: EngineParts,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + parts.limits.answerMs;
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs *= PAUSE_GROWTH) {
    signal.throwIfAborted();
    if (live.record().exit !== undefined) throw await exited(appId, live.record(), parts);
    if (await answersNow(appId, live.record(), parts)) return;
    const pause = delay(Math.min(pauseMs, LAST_PAUSE_MS), undefined, { signal });
    await Promise.race([live.ended, pause]);
  }
  throw await silent(appId, live.record(), parts);
}

/** The listener must be the app's own: somebody else may have taken the port before it. */
async function answersNow(
  appId: string,
  { port }: InstanceRecord,
  parts: EngineParts,
): Promise<boolean> {
  if (!(await accepts({ host: '127.0.0.1', port }))) return false;
  const uid = parts.identities.known(appId)?.uid;
  return uid === undefined || listeners().some((it) => it.port === port && it.uid === uid);
}

function accepts({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

async function exited(
  appId: string,
  record: InstanceRecord,
  parts: EngineParts,
): Promise<EngineFailure> {
  const { output } = appLayout(parts.dataDir, appId).instance(record.id);
  const lines = await lastLines(output, EVIDENCE_LINES);
  const reason = record.exit?.isOutOfMemory === true ? 'out-of-memory' : 'app-exited';
  return new EngineFailure(reason, exitEvidence(record.exit, lines));
}

async function silent(
  appId: string,
  record: InstanceRecord,
  parts: EngineParts,
): Promise<EngineFailure> {
  const { output } = appLayout(parts.dataDir, appId).instance(record.id);
  const waitedSeconds = Math.round(parts.limits.answerMs / 1000);
  const lines = await lastLines(output, EVIDENCE_LINES);
  const listening = listenersOfInstance(appId, record, parts);
  return silence({ port: record.port, waitedSeconds, listening, lines });
}

function listenersOfInstance(
  appId: string,
  record: InstanceRecord,
  parts: EngineParts,
): Listener[] {
  const identity = parts.identities.known(appId);
  const target = targetOf({ identity, marks: instanceMarks(appId, record), isAlone: false });
  return listenersOf(targeted(target).map(({ pid }) => pid));
}
