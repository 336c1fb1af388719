import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DockerApi } from '../../../src/engines/docker/docker-api.ts';
import { undefinedIfMissing } from '../../../src/engines/docker/docker-error.ts';
import type { Image } from '../../../src/engines/docker/images.ts';
import { jsonLines } from '../../../src/engines/docker/json-lines.ts';
import { streamOutput } from '../../../src/processes/stream-output.ts';

type Progress = { error?: string; aux?: { Digest?: string } };

const { signal } = new AbortController();
const ANONYMOUS = { 'x-registry-auth': Buffer.from('{}').toString('base64') };

/** Docker commands that an operator runs on the Docker Engine that Longshore uses. */
export function createOperator(docker: DockerApi) {
  async function readProgress(stream: AsyncIterable<Buffer>): Promise<Progress[]> {
    const progress: Progress[] = [];
    for await (const line of jsonLines<Progress>(stream)) progress.push(line);
    const error = progress.find((line) => line.error !== undefined)?.error;
    if (error !== undefined) throw new Error(error);
    return progress;
  }

  return {
    async build(name: string, dockerfile: string, query: Record<string, string> = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'longshore-context-'));
      await writeFile(join(folder, 'Dockerfile'), dockerfile);
      const argv = ['tar', '--create', '-C', folder, '.'] as const;
      const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
      const stream = await docker.follow('POST', '/build', {
        query: { t: name, ...query },
        headers: { 'content-type': 'application/x-tar' },
        stream: streamOutput({ argv, cwd: '/', env }, signal),
        signal,
      });
      await readProgress(stream);
      await rm(folder, { recursive: true });
    },
    /** Returns its digest in the registry. */
    async push(name: string, headers: Record<string, string> = ANONYMOUS): Promise<string> {
      const path = `/images/${name}/push`;
      const progress = await readProgress(await docker.follow('POST', path, { headers, signal }));
      return progress.find(({ aux }) => aux?.Digest !== undefined)?.aux?.Digest ?? '';
    },
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
    async removeContainer(name: string): Promise<void> {
      await docker.call('DELETE', `/containers/${name}`, { query: { force: true }, signal });
    },
    /** All containers. */
    async containers(): Promise<{ Id: string; Names: string[]; State: string; Command: string }[]> {
      return await docker.call('GET', '/containers/json?all=1', { signal });
    },
    async inspect<Found>(path: string): Promise<Found> {
      return await docker.call<Found>('GET', path, { signal });
    },
  };
}

export type Operator = ReturnType<typeof createOperator>;
