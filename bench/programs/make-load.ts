import { setTimeout as delay } from 'node:timers/promises';
import { answerQuestions } from '../support/answer-questions.ts';
import { nextCaller, requestOf } from '../support/load/caller.ts';
import { openConnection } from '../support/load/connection.ts';
import type { LoadSetUp, Round, RoundResult } from '../support/load/start-load.ts';

/** Asks a server as many callers would, round by round; each caller goes on where it stopped. */
await answerQuestions(async ({ port, callers, pauseMs }: LoadSetUp) => {
  return async ({ forMs }: Round): Promise<RoundResult> => {
    const begunAt = performance.now();
    const latenciesMs = await Promise.all(
      callers.map((_, number) => keepAsking(number, begunAt + forMs)),
    );
    return { tookMs: performance.now() - begunAt, latenciesMs };
  };

  async function keepAsking(number: number, until: number): Promise<number[]> {
    const connection = await openConnection(port);
    const latenciesMs: number[] = [];
    for (let caller = callers[number]; caller && performance.now() < until; ) {
      const request = requestOf(caller, port);
      const begunAt = performance.now();
      const { status, body } = await connection.send(request);
      latenciesMs.push(performance.now() - begunAt);
      if (status !== 200) throw new Error(`${caller.path} answered ${status}: ${body}`);
      caller = callers[number] = nextCaller(caller, body);
      if (pauseMs > 0) await delay(pauseMs);
    }
    connection.close();
    return latenciesMs;
  }
});
