import type { Clock } from '../../../schedule/clock.ts';
import type { LiveAnswer } from '../../live/live-result.ts';
import type { OperationRequest } from '../../operation.ts';
import type { Admission } from '../admission.ts';
import { GOODBYES } from '../close-reasons.ts';
import type { Delivery, Operations } from '../operations.ts';
import type { Conversation, Dialect, Peer } from '../subprotocol.ts';
import {
  ACK,
  completeFrame,
  connectionError,
  dataFrame,
  errorFrame,
  KEEP_ALIVE,
} from './frames.ts';
import { readLegacyMessage } from './messages.ts';
import { type LegacyAct, replyTo } from './react.ts';

export type LegacyDeps = { operations: Operations; clock: Clock };

/** The dialect sets no time, and its clients may look for a token first. But nobody holds a socket for nothing. */
const INIT_TIMEOUT_MS = 30_000;

/** `graphql-ws`, the subprotocol of the package `subscriptions-transport-ws`. */
export function createLegacyDialect(deps: LegacyDeps): Dialect {
  return {
    keepAlive: { text: KEEP_ALIVE, every: 'tick' },
    open(peer) {
      void peer.outbox.send(KEEP_ALIVE);
      return converse(peer, deps);
    },
  };
}

function converse(peer: Peer, { operations, clock }: LegacyDeps): Conversation {
  const { outbox } = peer;
  const running = new Map<string, () => void>();
  let isAdmitted = false;
  let admission: Promise<void> | undefined;
  const timeout = clock.setTimeout(() => peer.close(GOODBYES.initTimeout), INIT_TIMEOUT_MS);

  async function perform(it: LegacyAct): Promise<void> {
    switch (it.act) {
      case 'admit':
        admission = peer.admit(it.params).then(welcome);
        return await admission;
      case 'start':
        return await start(it.id, it.request);
      case 'stop':
        return finish(it.id);
      case 'say':
        for (const frame of it.frames) void outbox.send(frame);
        return;
      case 'hang-up':
        return peer.close(GOODBYES.done);
    }
  }

  function welcome(outcome: Admission): void {
    admission = undefined;
    if (outcome.kind === 'admitted') {
      isAdmitted = true;
      clock.clearTimeout(timeout);
      void outbox.send(ACK);
    } else if (outcome.kind === 'refused') {
      void outbox.send(connectionError(outcome.message));
      peer.close(GOODBYES.refused);
    } else peer.close(outcome.kind === 'crowded' ? GOODBYES.crowded : GOODBYES.tryLater);
  }

  async function start(id: string, request: OperationRequest): Promise<void> {
    const begun = operations.begin(request, peer.caller(), running.size);
    if (begun.kind === 'refused') {
      void outbox.send(errorFrame(id, begun.errors));
      void outbox.send(completeFrame(id));
    } else if (begun.kind === 'live') {
      const frame = ({ text }: LiveAnswer) => dataFrame(id, text);
      const delivery: Delivery = {
        newest: (answer) => outbox.show(id, frame(answer)),
        each: (answer) => outbox.send(frame(answer)),
      };
      running.set(id, begun.follow(delivery));
    } else {
      const stop = () => {};
      running.set(id, stop);
      const { text } = await begun.run();
      // Stopped meanwhile, and perhaps begun anew.
      if (running.get(id) !== stop) return;
      finish(id);
      void outbox.send(dataFrame(id, text));
      void outbox.send(completeFrame(id));
    }
  }

  function finish(id: string): void {
    running.get(id)?.();
    running.delete(id);
    outbox.withdraw(id);
  }

  return {
    async hear(text) {
      // Clients send what they want right behind the first message, and mean it to come after.
      while (admission !== undefined) await admission;
      await perform(replyTo(readLegacyMessage(text), { isAdmitted, running }));
    },
    async ended() {
      clock.clearTimeout(timeout);
      for (const id of [...running.keys()]) finish(id);
    },
  };
}
