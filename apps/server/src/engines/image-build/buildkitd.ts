import { type Builder, runInBuilder } from '../../build/buildkit/builder.ts';

/** `rootless`: an ordinary container. `root`: where the machine does not let ordinary users create namespaces. */
export type BuilderMode = 'rootless' | 'root';

/** Where buildkitd keeps everything, where it listens, and where it collects traces. */
export const BUILDER_PATHS: Record<
  BuilderMode,
  { root: string; socket: string; traceSocket: string }
> = {
  rootless: {
    root: '/home/user/.local/share/buildkit',
    socket: '/run/user/1000/buildkit/buildkitd.sock',
    traceSocket: '/run/user/1000/buildkit/otel-grpc.sock',
  },
  root: {
    root: '/var/lib/buildkit',
    socket: '/run/buildkit/buildkitd.sock',
    traceSocket: '/run/buildkit/otel-grpc.sock',
  },
};

export const CONFIG_PATH = '/etc/buildkit/longshore.toml';

/** The user of the public rootless image. */
export const ROOTLESS_ID = 1000;

/**
 * Starts buildkitd with the arguments of the script. The control groups of a container are mounted read-only. Those of the steps
 * are below it, so its limits apply to them.
 */
export const START_AS_ROOT = `for mount in /sys/fs/cgroup /sys/fs/cgroup/*; do
  mount -o remount,rw,bind "$mount" 2> /dev/null
done
exec buildkitd "$@"`;

export function buildkitdArguments(mode: BuilderMode): string[] {
  const { root, socket, traceSocket } = BUILDER_PATHS[mode];
  return [
    ...['--config', CONFIG_PATH, '--root', root, '--addr', `unix://${socket}`],
    ...['--otel-socket-path', traceSocket],
  ];
}

/** The folder for contexts and images, beside what buildkitd keeps. */
export function builderFolder(mode: BuilderMode): string {
  return `${BUILDER_PATHS[mode].root}/longshore`;
}

/** Whether buildkitd takes builds. */
export async function answersBuilds(builder: Builder, signal: AbortSignal): Promise<boolean> {
  const argv = ['buildctl', 'debug', 'workers'] as const;
  const process = await builder.start({ argv }, signal);
  for await (const _ of process.output);
  return (await process.exitCode()) === 0;
}

/** BuildKit gives steps the socket on which it collects traces, unless the file is missing. */
export async function hideTraceSocket(
  builder: Builder,
  mode: BuilderMode,
  signal: AbortSignal,
): Promise<void> {
  const argv = ['rm', '-f', '--', BUILDER_PATHS[mode].traceSocket] as const;
  await runInBuilder(builder, { argv }, { maxBytes: 0, signal });
}
