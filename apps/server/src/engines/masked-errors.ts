import type { Engine } from './engine.ts';
import { EngineFailure } from './failure.ts';

type Masking = {
  /** Called before the engine works on an app, because the app may have new secrets. */
  prepareLog(appId: string): void;
  mask(appId: string): Promise<(text: string) => string>;
};

/** The engine with the app's secrets masked in the evidence of its failures. */
export function withMaskedErrors<E extends Engine>(engine: E, { prepareLog, mask }: Masking): E {
  async function maskFailure<T>(appId: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof EngineFailure) || error.evidence.length === 0) throw error;
      const evidence = error.evidence.map(await mask(appId));
      const { reason, cause, fixes } = error;
      throw new EngineFailure(reason, evidence, { cause, fixes });
    }
  }

  return {
    ...engine,
    build(spec, ...rest) {
      prepareLog(spec.appId);
      return maskFailure(spec.appId, engine.build(spec, ...rest));
    },
    startInstance(spec, ...rest) {
      prepareLog(spec.appId);
      return maskFailure(spec.appId, engine.startInstance(spec, ...rest));
    },
    runCommand(spec, ...rest) {
      prepareLog(spec.appId);
      return maskFailure(spec.appId, engine.runCommand(spec, ...rest));
    },
    waitUntilListening: (instance, spec, signal) =>
      maskFailure(spec.appId, engine.waitUntilListening(instance, spec, signal)),
  };
}
