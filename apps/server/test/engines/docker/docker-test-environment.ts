import { NODE_IMAGE, SHELL_IMAGE } from './base-image.ts';
import { startDockerDaemon } from './docker-daemon.ts';
import { createOperator, type Operator } from './operator.ts';
import { REGISTRY_USER, startRegistry, startRemoteRegistry, startTestImages } from './registry.ts';

export { canRunDocker } from './docker-daemon.ts';

/**
 * For end-to-end tests and benchmarks: a separate Docker Engine, and a registry with one image that serves a page. It belongs to
 * the operator, or is a private one of a user.
 */
export type DockerTestEnvironment = {
  operator: Operator;
  image: string;
  /** The account that may pull the image from a private registry. */
  account: { host: string; username: string; password: string };
  shellImage: string;
  /** Environment variables of a Longshore server that uses this Engine. */
  env: Record<string, string>;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

export async function startDockerTestEnvironment({
  isPrivate = false,
} = {}): Promise<DockerTestEnvironment> {
  const daemon = await startDockerDaemon();
  const operator = createOperator(daemon.api);
  const images = await startTestImages();
  const registry = await (isPrivate ? startRemoteRegistry({ isPrivate }) : startRegistry());
  const account = { host: registry.host, ...REGISTRY_USER };
  await registry.publish({ name: 'harbour/hello:latest', settings: { Cmd: HELLO } });
  return {
    operator,
    image: `${registry.host}/harbour/hello`,
    account,
    shellImage: SHELL_IMAGE,
    env: {
      LONGSHORE_ENGINE: 'docker',
      LONGSHORE_DOCKER_SOCKET: daemon.socketPath,
      LONGSHORE_NODE_IMAGE: NODE_IMAGE,
      LONGSHORE_BUILDER_IMAGE: images.builderImage,
      LONGSHORE_REGISTRY_MIRROR: images.mirror,
      ...(isPrivate
        ? { NODE_EXTRA_CA_CERTS: images.certificate }
        : { LONGSHORE_REGISTRY: registry.host, LONGSHORE_REGISTRY_INSECURE: 'true' }),
    },
    kill: daemon.kill,
    startAgain: daemon.startAgain,
    async stop() {
      await daemon.stop();
      await registry.stop();
      await images.stop();
    },
  };
}

/** Serves the text in GREETING, and logs it. */
const HELLO = [
  'sh',
  '-c',
  'busybox mkdir /site; echo "<h1>$GREETING</h1>" > /site/index.html; echo greets with $GREETING; exec httpd -f -p $PORT -h /site',
];
