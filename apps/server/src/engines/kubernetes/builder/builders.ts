import { EngineFailure } from '../../failure.ts';
import { createBuilderPlaces } from '../../image-build/builder-places.ts';
import { ensureAccess } from '../access.ts';
import type { EngineParts } from '../deps.ts';
import { isClusterDown } from '../kubernetes-error.ts';
import { enterBuildNamespace, listBuildNamespaces } from './build-namespaces.ts';
import { removeCache } from './builder-cache.ts';
import { builderQuery } from './builder-pod.ts';
import type { PodBuilder, PodBuilders } from './builders-port.ts';
import { deleteBuilders, startBuilder } from './start-builder.ts';

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
    removeCache: (slot) => removeCache(slot, deps, never),
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

/** The rights of the server may be those of another account, or missing. No owner waits for the namespace of another one. */
export async function removeLeftovers(
  deps: Pick<EngineParts, 'api' | 'owner' | 'logError'>,
): Promise<void> {
  for (const namespace of await listBuildNamespaces(deps, never)) {
    try {
      await ensureAccess(namespace, 'build', deps, never);
      await deleteBuilders(namespace, builderQuery(deps.owner), deps, never);
    } catch (error) {
      if (isClusterDown(error)) throw error;
      deps.logError(error);
    }
  }
}
