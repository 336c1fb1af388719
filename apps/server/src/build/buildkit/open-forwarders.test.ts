import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import type { RegistrySettings } from './buildkitd-config.ts';
import {
  forwardedRegistry,
  openRegistryForwarders,
  type RegistryForwarders,
} from './open-forwarders.ts';

const ADDRESSES: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'lan.example': ['10.0.0.5'],
  'self.example': ['127.0.0.1'],
  '10.0.0.5': ['10.0.0.5'],
};
let open: RegistryForwarders | undefined;
const logged: unknown[] = [];
afterEach(async () => {
  await open?.close();
  expect(logged.splice(0)).toEqual([]);
});

async function portsFor(settings: Partial<RegistrySettings>): Promise<string[]> {
  const resolve = async (host: string) => {
    const addresses = ADDRESSES[host];
    if (addresses === undefined) throw new Error('ENOTFOUND');
    return addresses;
  };
  const complete = { registry: undefined, mirror: undefined, ...settings };
  const deps = { resolve, logError: (error: unknown) => void logged.push(error) };
  open = await openRegistryForwarders(complete, deps, new AbortController().signal);
  return Object.keys(open.ports);
}

it.each([
  ['localhost:5000', true],
  ['127.0.0.1:5000', true],
  ['[::1]:5000', true],
  ['self.example', true],
  ['lan.example:5000', true],
  ['10.0.0.5:5000', true],
  ['public.example', false],
  ['unknown.example', false],
])('forwards a mirror at %s: %s', async (host, isForwarded) => {
  const kinds = await portsFor({ mirror: { host, isPlainHttp: true } });
  expect(kinds).toEqual(isForwarded ? ['mirror'] : []);
});

it('gives builders the address of each forwarder', async () => {
  await portsFor({
    registry: { host: 'localhost:5000', path: '', isInsecure: false },
    mirror: { host: 'localhost:5001', isPlainHttp: true },
  });
  expect(open?.addressesAt('10.213.0.1')).toEqual({
    registry: `10.213.0.1:${open?.ports.registry}`,
    mirror: `10.213.0.1:${open?.ports.mirror}`,
  });
  const response = await fetch(`http://127.0.0.1:${open?.ports.mirror}/v2/_catalog`);
  expect(response.status).toBe(404);
});

it('responds while the server is busy', async () => {
  await portsFor({ mirror: { host: 'localhost:5001', isPlainHttp: true } });
  const url = `http://127.0.0.1:${open?.ports.mirror}/v2/_catalog`;
  const script = `fetch(${JSON.stringify(url)}).then(({ status }) => console.log(status))`;
  // Blocks this thread until the other program has its response.
  const output = execFileSync(process.execPath, ['--eval', script], { timeout: 20_000 });
  expect(output.toString()).toBe('404\n');
});

it('ends its connections when it closes', async () => {
  await portsFor({ mirror: { host: 'localhost:5001', isPlainHttp: true } });
  const port = open?.ports.mirror ?? 0;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  await open?.close();
  await vi.waitFor(() => expect(socket.closed).toBe(true));
  await expect(fetch(`http://127.0.0.1:${port}/v2/`)).rejects.toThrow('fetch failed');
});

it('starts nothing without settings', async () => {
  expect(await portsFor({})).toEqual([]);
});

it.each([
  ['localhost:5000', false, ['http://localhost:5000']],
  ['lan.example', false, ['https://lan.example']],
  ['lan.example', true, ['https://lan.example', 'http://lan.example']],
])('forwards to the registry %s, insecure: %s', (host, isInsecure, origins) => {
  const settings = { registry: { host, path: 'team', isInsecure }, mirror: undefined };
  expect(forwardedRegistry(settings, 'registry')).toEqual({
    name: host,
    path: 'team',
    isInsecure,
    origins,
  });
});
