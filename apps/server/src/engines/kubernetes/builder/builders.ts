import { EngineFailure } from '../../failure.ts';
import { createBuilderPlaces } from '../../image-build/builder-places.ts';
import type { EngineParts } from '../deps.ts';
import type { Pod } from '../pod.ts';
import { enterBuildNamespace, listBuildNamespaces } from './build-namespaces.ts';
import { BUILDER_LABEL } from './builder-pod.ts';
import type { PodBuilder, PodBuilders } from './builders-port.ts';
import { removeBuilder, startBuilder } from './start-builder.ts';

const never = new AbortController().signal;

export function createPodBuilders(deps: EngineParts): PodBuilders {
  let cleared: Promise<void> | undefined;

  /** No builder of this server runs yet: these were left by one that was killed. */
  function clearOnce(): Promise<void> {
    cleared ??= removeLeftovers(deps).catch((error: unknown) => {
      cleared = undefined;
      throw error;
    });
    return cleared;
  }

  const places = createBuilderPlaces<PodBuilder>({
    async start(slot, writeLine, signal) {
      await clearOnce();
      writeLine('Starting a builder');
      return await startBuilder(slot, deps, signal);
    },
    removeCache: async () => {},
    idleMs: deps.limits.builderIdleMs,
    logError: deps.logError,
  });

  clearOnce().catch(deps.logError);
  return {
    async use(request, work, signal) {
      await enterBuildNamespace(request, deps, signal);
      return await places.use(
        request,
        async (used) => {
          try {
            return await work(used);
          } catch (error) {
            if (error instanceof EngineFailure || signal.aborted) throw error;
            const reason = await used.endReason(signal);
            throw reason === undefined ? error : new EngineFailure(reason, [], { cause: error });
          }
        },
        signal,
      );
    },
    stopIdle: places.stopIdle,
    close: places.close,
  };
}

async function removeLeftovers(deps: EngineParts): Promise<void> {
  const query = { labelSelector: `${BUILDER_LABEL}=${deps.owner.installation}` };
  for (const namespace of await listBuildNamespaces(deps, never)) {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const { items } = await deps.api.call<{ items: Pod[] }>('GET', path, { query, signal: never });
    await Promise.all(items.map((pod) => removeBuilder(pod, deps)));
  }
}
