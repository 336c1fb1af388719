import type { Clock } from '@longshore/edge-contract';
import type { LiveResult } from '../../live/live-result.ts';
import type { OperationRequest } from '../../operation.ts';
import type { Admission } from '../admission.ts';
import { CLOSE_REASONS } from '../close-reasons.ts';
import type { Operations, ResultSink } from '../operations.ts';
import type { Peer, ProtocolSession, Subprotocol } from '../subprotocol.ts';
import {
  ACK,
  completeFrame,
  connectionError,
  dataFrame,
  errorFrame,
  KEEP_ALIVE,
  parseLegacyMessage,
} from './messages.ts';
import { type LegacyAction, reactTo } from './react.ts';

export type LegacyDeps = { operations: Operations; clock: Clock };

/** The subprotocol has no timeout, and clients may have to fetch a token first. */
const INIT_TIMEOUT_MS = 30_000;

/** `graphql-ws`, the subprotocol of the package `subscriptions-transport-ws`. */
export function createLegacySubprotocol(deps: LegacyDeps): Subprotocol {
  return {
    keepAlive: { text: KEEP_ALIVE, every: 'tick' },
    open(peer) {
      void peer.outbox.send(KEEP_ALIVE);
      return openSession(peer, deps);
    },
  };
}

function openSession(peer: Peer, { operations, clock }: LegacyDeps): ProtocolSession {
  const { outbox } = peer;
  const running = new Map<string, () => void>();
  let isAdmitted = false;
  let admission: Promise<void> | undefined;
  const timeout = clock.setTimeout(() => peer.close(CLOSE_REASONS.initTimeout), INIT_TIMEOUT_MS);

  async function perform(reaction: LegacyAction): Promise<void> {
    switch (reaction.action) {
      case 'admit':
        admission = peer.admit(reaction.params).then(finishAdmission);
        return await admission;
      case 'start':
        return await start(reaction.id, reaction.request);
      case 'stop':
        return finish(reaction.id);
      case 'send':
        for (const frame of reaction.frames) void outbox.send(frame);
        return;
      case 'close':
        return peer.close(CLOSE_REASONS.done);
    }
  }

  function finishAdmission(outcome: Admission): void {
    admission = undefined;
    if (outcome.kind === 'admitted') {
      isAdmitted = true;
      clock.clearTimeout(timeout);
      void outbox.send(ACK);
    } else if (outcome.kind === 'refused') {
      void outbox.send(connectionError(outcome.message));
      peer.close(CLOSE_REASONS.refused);
    } else
      peer.close(
        outcome.kind === 'too-many-connections'
          ? CLOSE_REASONS.tooManyConnections
          : CLOSE_REASONS.tryLater,
      );
  }

  async function start(id: string, request: OperationRequest): Promise<void> {
    const started = operations.start(request, peer.caller(), running.size);
    if (started.kind === 'refused') {
      void outbox.send(errorFrame(id, started.errors));
      void outbox.send(completeFrame(id));
    } else if (started.kind === 'live') {
      const frame = ({ text }: LiveResult) => dataFrame(id, text);
      const sink: ResultSink = {
        latest: (result) => outbox.sendLatest(id, frame(result)),
        every: (result) => outbox.send(frame(result)),
      };
      running.set(id, started.follow(sink));
    } else {
      const stop = () => {};
      running.set(id, stop);
      const { text } = await started.run();
      // The client may have stopped it and started another one with the same id.
      if (running.get(id) !== stop) return;
      finish(id);
      void outbox.send(dataFrame(id, text));
      void outbox.send(completeFrame(id));
    }
  }

  function finish(id: string): void {
    running.get(id)?.();
    running.delete(id);
    outbox.discard(id);
  }

  return {
    async receive(text) {
      // Clients send operations right after the first message, before it is acknowledged.
      while (admission !== undefined) await admission;
      await perform(reactTo(parseLegacyMessage(text), { isAdmitted, running }));
    },
    async closed() {
      clock.clearTimeout(timeout);
      for (const id of [...running.keys()]) finish(id);
    },
  };
}
