import { startChildProgram } from '../child-program.ts';
import type { Scope } from '../scope.ts';

/** `perSecond`: requests to each host. */
export type SteadyLoadSetUp = { port: number; hosts: string[]; perSecond: number };
export type SteadyResult = { latenciesMs: number[]; failures: number };

/** Requests at a fixed rate until the end of the scope. A server that stalls does not slow them down, so its stalls count. */
export type SteadyLoad = {
  /** Of the requests since the last call. */
  take(): Promise<SteadyResult>;
};

export async function startSteadyLoad(setUp: SteadyLoadSetUp, scope: Scope): Promise<SteadyLoad> {
  const { request } = await startChildProgram<object, SteadyResult>(
    'generate-steady-load.ts',
    setUp,
    scope,
  );
  return { take: () => request({}) };
}
