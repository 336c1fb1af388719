import { startAssistant } from '../assistant.ts';
import type { Scope } from '../scope.ts';
import type { Caller } from './caller.ts';

export type LoadSetUp = {
  port: number;
  callers: Caller[];
  /** Between an answer and the next request; 0 asks as much as the server can bear. */
  pauseMs: number;
};
export type Round = { forMs: number };
export type RoundResult = {
  tookMs: number;
  /** Of each answer, caller by caller. */
  latenciesMs: number[][];
};

export type Load = { run(forMs: number): Promise<RoundResult> };

/** Callers in a process of their own, each with one connection for a round. */
export async function startLoad(setUp: LoadSetUp, scope: Scope): Promise<Load> {
  const { ask } = await startAssistant<Round, RoundResult>('make-load.ts', setUp, scope);
  return { run: (forMs) => ask({ forMs }) };
}

export function perSecond({ latenciesMs, tookMs }: RoundResult): number {
  return (latenciesMs.flat().length / tookMs) * 1_000;
}
