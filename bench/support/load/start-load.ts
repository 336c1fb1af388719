import { startChildProgram } from '../child-program.ts';
import type { Scope } from '../scope.ts';
import type { VirtualClient } from './virtual-client.ts';

export type LoadSetUp = {
  /** Default: loopback. */
  host?: string;
  port: number;
  clients: VirtualClient[];
  /** Between a response and the next request; 0 sends as fast as possible. */
  pauseMs: number;
};
export type Round = { forMs: number };
export type RoundResult = {
  tookMs: number;
  /** Of each response, by client. */
  latenciesMs: number[][];
};

export type Load = { run(forMs: number): Promise<RoundResult> };

/** Clients in a separate process, each with one connection per round. */
export async function startLoad(setUp: LoadSetUp, scope: Scope): Promise<Load> {
  const { request } = await startChildProgram<Round, RoundResult>('generate-load.ts', setUp, scope);
  return { run: (forMs) => request({ forMs }) };
}

export function perSecond({ latenciesMs, tookMs }: RoundResult): number {
  return (latenciesMs.flat().length / tookMs) * 1_000;
}
