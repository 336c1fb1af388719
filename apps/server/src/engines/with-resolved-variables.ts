import type { Engine, ReleaseSpec } from './engine.ts';

/** The engine with the values in place of references in the variables of what it builds, starts and runs, as they are then. */
export function withResolvedVariables<E extends Engine>(
  engine: E,
  resolve: (spec: ReleaseSpec) => Promise<Record<string, string>>,
): E {
  const resolved = async (spec: ReleaseSpec) => ({ ...spec, env: await resolve(spec) });
  return {
    ...engine,
    build: async (spec, progress, signal) =>
      await engine.build(await resolved(spec), progress, signal),
    runCommand: async (spec, command, signal) =>
      await engine.runCommand(await resolved(spec), command, signal),
    startInstance: async (spec, signal) => await engine.startInstance(await resolved(spec), signal),
  };
}
