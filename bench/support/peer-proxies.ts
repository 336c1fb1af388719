import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { freePort } from '../../e2e/support/free-port.ts';
import { startProgram } from './program.ts';
import type { Scope } from './scope.ts';

/** Another reverse proxy in front of the same app, limited to one worker or core like the ingress. */
export type PeerProxy = { name: string; port: number };

type PeerOptions = { folder: string; upstream: string; scope: Scope };

/** The installed ones. */
export async function startPeerProxies(options: PeerOptions): Promise<PeerProxy[]> {
  const peers: PeerProxy[] = [];
  const nginx = installed('nginx');
  if (nginx !== undefined) peers.push(await startNginx(nginx, options));
  const caddy = installed('caddy');
  if (caddy !== undefined) peers.push(await startCaddy(caddy, options));
  return peers;
}

/** Debian installs servers in /usr/sbin, which is not on the path of every user. */
function installed(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

async function startNginx(
  program: string,
  { folder, upstream, scope }: PeerOptions,
): Promise<PeerProxy> {
  const port = await freePort();
  const dir = join(folder, 'nginx');
  await mkdir(dir);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(dir, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${dir}/pid; error_log stderr notice;
events { worker_connections 4096; }
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ')}
  upstream app { server ${upstream}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://app;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`,
  );
  const argv = [program, '-p', dir, '-c', file] as const;
  await startProgram({ argv, readyText: 'start worker process' }, scope);
  return { name: 'nginx', port };
}

async function startCaddy(
  program: string,
  { folder, upstream, scope }: PeerOptions,
): Promise<PeerProxy> {
  const port = await freePort();
  const dir = join(folder, 'caddy');
  await mkdir(dir);
  const file = join(dir, 'Caddyfile');
  await writeFile(
    file,
    `{
  admin off
  auto_https off
}
http://:${port} {
  reverse_proxy ${upstream}
}
`,
  );
  const env = { GOMAXPROCS: '1', HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  const argv = [program, 'run', '--config', file, '--adapter', 'caddyfile'] as const;
  await startProgram({ argv, env, readyText: 'serving initial configuration' }, scope);
  return { name: 'Caddy', port };
}
