import type { DockerApi } from '../../../src/engines/docker/docker-api.ts';
import { undefinedIfMissing } from '../../../src/engines/docker/docker-error.ts';
import type { Image } from '../../../src/engines/docker/images.ts';
import { jsonLines } from '../../../src/engines/docker/json-lines.ts';

type Progress = { error?: string };

type Container = {
  Id: string;
  Names: string[];
  State: string;
  Command: string;
  Mounts: { Name: string }[];
};

const { signal } = new AbortController();

/** Docker commands that an operator runs on the Docker Engine that Longshore uses. */
export function createOperator(docker: DockerApi) {
  async function readProgress(stream: AsyncIterable<Buffer>): Promise<void> {
    for await (const { error } of jsonLines<Progress>(stream)) {
      if (error !== undefined) throw new Error(error);
    }
  }

  return {
    async pull(name: string): Promise<void> {
      const query = { fromImage: name };
      await readProgress(await docker.follow('POST', '/images/create', { query, signal }));
    },
    async tag(image: string, name: string): Promise<void> {
      const colon = name.lastIndexOf(':');
      const query = { repo: name.slice(0, colon), tag: name.slice(colon + 1) };
      await docker.call('POST', `/images/${image}/tag`, { query, signal });
    },
    async removeImage(name: string): Promise<void> {
      await docker.call('DELETE', `/images/${name}`, { signal });
    },
    async image(name: string): Promise<Image | undefined> {
      return await undefinedIfMissing(
        docker.call<Image>('GET', `/images/${name}/json`, { signal }),
      );
    },
    /** Ids of all images, including intermediate layers. */
    async images(): Promise<string[]> {
      const found = await docker.call<{ Id: string }[]>('GET', '/images/json?all=1', { signal });
      return found.map(({ Id }) => Id).sort();
    },
    async run(name: string, body: object): Promise<string> {
      const { Id } = await docker.call<{ Id: string }>('POST', '/containers/create', {
        query: { name },
        body,
        signal,
      });
      await docker.call('POST', `/containers/${Id}/start`, { signal });
      return Id;
    },
    async stop(id: string): Promise<void> {
      await docker.call('POST', `/containers/${id}/stop`, { query: { t: 0 }, signal });
    },
    async start(id: string): Promise<void> {
      await docker.call('POST', `/containers/${id}/start`, { signal });
    },
    /** Connects a container to a new network. */
    async connect(id: string, network: string): Promise<void> {
      await docker.call('POST', '/networks/create', { body: { Name: network }, signal });
      const body = { Container: id };
      await docker.call('POST', `/networks/${network}/connect`, { body, signal });
    },
    async removeContainer(name: string): Promise<void> {
      await docker.call('DELETE', `/containers/${name}`, { query: { force: true }, signal });
    },
    /** All containers. */
    async containers(): Promise<Container[]> {
      return await docker.call('GET', '/containers/json?all=1', { signal });
    },
    /** Details of containers. One that is removed meanwhile is left out. */
    async details<Found>(containers: readonly Container[]): Promise<Found[]> {
      const found = await Promise.all(
        containers.map(({ Id }) =>
          undefinedIfMissing(docker.call<Found>('GET', `/containers/${Id}/json`, { signal })),
        ),
      );
      return found.filter((it) => it !== undefined);
    },
    async inspect<Found>(path: string): Promise<Found> {
      return await docker.call<Found>('GET', path, { signal });
    },
  };
}

export type Operator = ReturnType<typeof createOperator>;
