import type { Engine } from './engine.ts';
import { EngineFailure } from './failure.ts';

type Discretion = {
  /** The engine begins to work on an app of which secrets may be new. */
  begin(appId: string): void;
  mask(appId: string): Promise<(text: string) => string>;
};

/** An engine that shows no secret of an app in the evidence of a failure either. */
export function discreetEngine<E extends Engine>(engine: E, { begin, mask }: Discretion): E {
  async function discreetly<T>(appId: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.evidence.length === 0) throw error;
      const evidence = error.evidence.map(await mask(appId));
      throw new EngineFailure(error.reason, evidence, { cause: error.cause });
    }
  }

  return {
    ...engine,
    build(spec, ...rest) {
      begin(spec.appId);
      return discreetly(spec.appId, engine.build(spec, ...rest));
    },
    start(spec, ...rest) {
      begin(spec.appId);
      return discreetly(spec.appId, engine.start(spec, ...rest));
    },
    answers: (instance, spec, signal) =>
      discreetly(spec.appId, engine.answers(instance, spec, signal)),
  };
}
