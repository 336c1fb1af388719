import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { freePort } from '../../e2e/support/free-port.ts';
import { processTreeOf } from './processes.ts';
import { startProgram } from './program.ts';
import type { Scope } from './scope.ts';
import { waitUntil } from './wait-until.ts';

/** A reverse proxy on one core, in front of the same app. */
export type ProxyProcess = { name: string; port: number; tlsPort: number; pids: number[] };

export type ProxyOptions = {
  folder: string;
  /** Host and port of the app. */
  upstream: string;
  hosts: string[];
  /** Files with the certificate and the key of all hosts. */
  certificate: string;
  key: string;
  /** The processor that the proxy runs on. */
  core: number;
  scope: Scope;
};

/** The installed ones. */
export async function startPeerProxies(options: ProxyOptions): Promise<ProxyProcess[]> {
  const peers: ProxyProcess[] = [];
  const caddy = installed('caddy');
  if (caddy !== undefined) peers.push(await startCaddy(caddy, options));
  const nginx = installed('nginx');
  if (nginx !== undefined) peers.push(await startNginx(nginx, options));
  return peers;
}

/** Debian installs servers in /usr/sbin, which is not on the path of every user. */
export function installed(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

export function pinned(core: number, argv: readonly string[]): [string, ...string[]] {
  return ['taskset', '-c', String(core), ...argv];
}

async function startNginx(program: string, options: ProxyOptions): Promise<ProxyProcess> {
  const { folder, upstream, hosts, certificate, key, core, scope } = options;
  const [port, tlsPort] = [await freePort(), await freePort()];
  const file = await nginxConfiguration(
    join(folder, 'nginx'),
    `server_names_hash_max_size 65536; server_names_hash_bucket_size 128;
  upstream app { server ${upstream}; keepalive 128; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${tlsPort} ssl http2;
    server_name ${hosts.join(' ')};
    ssl_certificate ${certificate}; ssl_certificate_key ${key};
    ssl_session_cache shared:sessions:10m;
    location / {
      proxy_pass http://app;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }`,
  );
  const argv = pinned(core, [program, '-p', join(folder, 'nginx'), '-c', file]);
  const { pid } = await startProgram({ argv, readyText: 'start worker process' }, scope);
  // It says so before the process exists.
  const pids = await waitUntil('a worker of nginx', 20, () => {
    const tree = processTreeOf(pid);
    return tree.length > 1 ? tree : undefined;
  });
  return { name: 'nginx', port, tlsPort, pids };
}

/** Writes a configuration with these parts of `http`. */
export async function nginxConfiguration(dir: string, parts: string): Promise<string> {
  await mkdir(dir);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(dir, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${dir}/pid; error_log stderr notice;
worker_rlimit_nofile 65536;
events { worker_connections 32768; }
http {
  access_log off; keepalive_requests 100000000;
  ${kinds.map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ')}
  ${parts}
}
`,
  );
  return file;
}

async function startCaddy(program: string, options: ProxyOptions): Promise<ProxyProcess> {
  const { folder, upstream, hosts, certificate, key, core, scope } = options;
  const [port, tlsPort] = [await freePort(), await freePort()];
  const dir = join(folder, 'caddy');
  await mkdir(dir);
  const file = join(dir, 'Caddyfile');
  const sites = (scheme: string, of: number) =>
    hosts.map((host) => `${scheme}://${host}:${of}`).join(', ');
  await writeFile(
    file,
    `{
  admin off
  auto_https off
}
${sites('http', port)} {
  reverse_proxy ${upstream}
}
${sites('https', tlsPort)} {
  tls ${certificate} ${key}
  reverse_proxy ${upstream}
}
`,
  );
  const env = {
    GOMAXPROCS: '1',
    HOME: dir,
    XDG_DATA_HOME: dir,
    XDG_CONFIG_HOME: dir,
    PATH: process.env.PATH,
  };
  const argv = pinned(core, [program, 'run', '--config', file, '--adapter', 'caddyfile']);
  const { pid } = await startProgram(
    { argv, env, readyText: 'serving initial configuration' },
    scope,
  );
  return { name: 'Caddy', port, tlsPort, pids: [pid] };
}
