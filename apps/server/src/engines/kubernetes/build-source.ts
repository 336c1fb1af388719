import type { BuiltImage } from '../../build/buildkit/image-layout.ts';
import { machineSpace } from '../disk-full.ts';
import { EngineFailure } from '../failure.ts';
import { buildImage, type GitBuild } from '../image-build/build-image.ts';
import { runImageBuild } from '../image-build/run-build.ts';
import { pushImage, removeImage } from './builder/push-image.ts';
import type { KubernetesDeps } from './deps.ts';
import { appFolder } from './folders.ts';
import type { BuiltRelease } from './releases.ts';
import { exposedPortsOf } from './resolve-image.ts';

type BuiltSource = Pick<BuiltRelease, 'image' | 'exposedPorts' | 'build'>;
type PushedImage = Pick<BuiltRelease, 'image' | 'exposedPorts'>;

const NO_REGISTRY = 'Builds from source code: the operator must set LONGSHORE_REGISTRY';
const REMOVE_MS = 10_000;

/** Builds the source of a release and pushes its image to the registry of the operator. */
export async function buildSource(
  build: GitBuild,
  deps: KubernetesDeps,
  signal: AbortSignal,
): Promise<BuiltSource> {
  const { registry } = deps.registries;
  if (registry === undefined) throw new EngineFailure('not-offered', [NO_REGISTRY]);
  if ((await machineSpace([deps.dataDir])) === 'short') throw new EngineFailure('disk-full');
  const { imageBytes: bytes, imageFiles: files } = deps.limits;
  const max = { bytes, files };
  let pushed: PushedImage | undefined;
  try {
    const result = await buildImage(
      build,
      {
        ...deps,
        appFolder: (appId) => appFolder(appId, deps),
        // Git runs beside the server: its addresses are pinned, nothing else confines it (decision 102).
        sandboxOptions: async () => ({ sandbox: undefined, isNetworkBlocked: false }),
        copyImage: async () => false,
        runBuild: (options, buildSignal) =>
          runImageBuild(
            options,
            {
              ...deps,
              layers: 'gzip',
              watchSpace: () => ({ signal: buildSignal, stop() {} }),
              async deliver({ builder }, image, pushSignal) {
                options.writeLine('Pushing the image');
                const push = { release: build.spec, image, builder, registry, max };
                pushed = { image: await pushImage(push, pushSignal), ...portsOf(image) };
              },
            },
            buildSignal,
          ),
      },
      signal,
    );
    if (pushed === undefined) throw new EngineFailure('engine-failed', ['No image was built']);
    signal.throwIfAborted();
    return { ...pushed, build: result };
  } catch (error) {
    const timeout = AbortSignal.timeout(REMOVE_MS);
    if (pushed !== undefined) await removeImage(pushed.image, registry, timeout).catch(() => {});
    throw error;
  }
}

function portsOf({ config }: BuiltImage): Pick<PushedImage, 'exposedPorts'> {
  return { exposedPorts: exposedPortsOf(JSON.parse(config.bytes.toString('utf8'))) };
}
