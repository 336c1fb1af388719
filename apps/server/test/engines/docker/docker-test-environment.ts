import { registryHeaders } from '../../../src/engines/docker/pull-image.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { importNodeImage, importShellImage, NODE_IMAGE, SHELL_IMAGE } from './base-image.ts';
import { startDockerDaemon } from './docker-daemon.ts';
import { createOperator, type Operator } from './operator.ts';
import { REGISTRY_USER, startRegistry } from './registry.ts';

export { canRunDocker } from './docker-daemon.ts';

/** For end-to-end tests and benchmarks: a separate Docker Engine, and a registry with one image that serves a page. */
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
  await importShellImage(daemon.api);
  await importNodeImage(daemon.api);
  const registry = await startRegistry({ isPrivate });
  const account = { host: registry.host, ...REGISTRY_USER };
  const image = `${registry.host}/harbour/hello`;
  await operator.build(`${image}:latest`, HELLO);
  const password = new Secret(account.password);
  await operator.push(`${image}:latest`, registryHeaders({ ...account, name: '', password }));
  await operator.removeImage(`${image}:latest`);
  return {
    operator,
    image,
    account,
    shellImage: SHELL_IMAGE,
    env: {
      LONGSHORE_ENGINE: 'docker',
      LONGSHORE_DOCKER_SOCKET: daemon.socketPath,
      LONGSHORE_NODE_IMAGE: NODE_IMAGE,
    },
    kill: daemon.kill,
    startAgain: daemon.startAgain,
    async stop() {
      await daemon.stop();
      await registry.stop();
    },
  };
}

/** Serves the text in GREETING, and logs it. */
const HELLO = `FROM ${SHELL_IMAGE}
CMD ["sh", "-c", "busybox mkdir /site; echo \\"<h1>$GREETING</h1>\\" > /site/index.html; echo greets with $GREETING; exec httpd -f -p $PORT -h /site"]
`;
