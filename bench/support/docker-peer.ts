import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DockerBench } from '@longshore/server/testing/docker-engine';

type DockerApi = DockerBench['daemon']['api'];

/** What Docker does itself, without Longshore. */
export type DockerPeer = {
  pull(image: string): Promise<void>;
  tag(image: string, repo: string, tag: string): Promise<void>;
  /** With the builder of the Engine, which uses the images that it has. */
  build(name: string, files: Record<string, string>): Promise<void>;
  removeImages(): Promise<void>;
};

const { signal } = new AbortController();

export function createDockerPeer(docker: DockerApi, folder: string): DockerPeer {
  return {
    pull: async (fromImage) =>
      await readToEnd(
        await docker.follow('POST', '/images/create', { query: { fromImage }, signal }),
      ),
    tag: async (image, repo, tag) =>
      await docker.call('POST', `/images/${image}/tag`, { query: { repo, tag }, signal }),
    async build(name, files) {
      const context = join(folder, name.replaceAll(/\W/g, '-'));
      await mkdir(context);
      for (const [path, text] of Object.entries(files)) await writeFile(join(context, path), text);
      const tar = spawn('tar', ['--create', '-C', context, '.'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const progress = await docker.follow('POST', '/build', {
        query: { t: name },
        headers: { 'content-type': 'application/x-tar' },
        stream: tar.stdout,
        signal,
      });
      await readToEnd(progress);
    },
    async removeImages() {
      const images = await docker.call<{ Id: string; RepoTags: string[] | null }[]>(
        'GET',
        '/images/json',
        { signal },
      );
      for (const { Id, RepoTags } of images) {
        const isBuilder = RepoTags?.some((name) => name.includes('buildkit'));
        if (isBuilder) continue;
        await docker.call('DELETE', `/images/${Id}`, { query: { force: true }, signal });
      }
    },
  };
}

async function readToEnd(progress: AsyncIterable<Buffer>): Promise<void> {
  let text = '';
  for await (const chunk of progress) text += chunk.toString('utf8');
  if (text.includes('"errorDetail"')) throw new Error(text);
}
