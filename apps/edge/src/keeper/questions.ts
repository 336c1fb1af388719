import type { Clock } from '@longshore/edge-contract';

/** Questions to several peers. Resolved when each peer has answered or left, or after the timeout. */
export type Questions<Peer, Answer> = {
  ask(
    peers: Peer[],
    timeoutMs: number | undefined,
    send: (peer: Peer, id: number) => void,
  ): Promise<Answer[]>;
  answer(peer: Peer, id: number, answer: Answer): void;
  leave(peer: Peer): void;
};

export function createQuestions<Peer, Answer>({
  clock,
}: {
  clock: Clock;
}): Questions<Peer, Answer> {
  type Open = { waiting: Set<Peer>; answers: Answer[]; end(): void };
  const open = new Map<number, Open>();
  let lastId = 0;

  function stopWaiting(question: Open, peer: Peer): void {
    question.waiting.delete(peer);
    if (question.waiting.size === 0) question.end();
  }

  return {
    ask(peers, timeoutMs, send) {
      if (peers.length === 0) return Promise.resolve([]);
      lastId += 1;
      const id = lastId;
      return new Promise((resolve) => {
        const answers: Answer[] = [];
        const end = () => {
          clock.clearTimeout(timer);
          open.delete(id);
          resolve(answers);
        };
        const timer = timeoutMs === undefined ? undefined : clock.setTimeout(end, timeoutMs);
        open.set(id, { waiting: new Set(peers), answers, end });
        for (const peer of peers) send(peer, id);
      });
    },
    answer(peer, id, answer) {
      const question = open.get(id);
      if (question === undefined || !question.waiting.has(peer)) return;
      question.answers.push(answer);
      stopWaiting(question, peer);
    },
    leave(peer) {
      for (const question of open.values()) stopWaiting(question, peer);
    },
  };
}
