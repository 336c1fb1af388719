import { afterEach, describe, expect, it } from 'vitest';
import {
  createMachine,
  createNamespace,
  hostCommandsOf,
  METADATA,
  type Namespace,
  PUBLIC,
} from '../../../test/sandbox/network-machine.ts';
import { openNetwork } from './network.ts';

const never = new AbortController().signal;

describe.runIf(process.getuid?.() === 0)('the network of sandboxed programs (needs root)', () => {
  const started: Namespace[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((namespace) => namespace.stop()));
  });

  it('connects programs of one project with each other and with public addresses', async () => {
    const { machine, internet } = await createMachine({ hasIpv6: false });
    const [a, b, c] = await Promise.all([createNamespace(), createNamespace(), createNamespace()]);
    started.push(machine, internet, a, b, c);
    const network = await openNetwork({
      installation: 'abc123',
      network: '10.213.0.0/16',
      allowedNetworks: [],
      edge: { host: '127.0.0.1', ports: [8080] },
      host: hostCommandsOf(machine.pid),
    });
    await network.adopt([]);
    const [, inB, inC] = await Promise.all([
      network.attach(a.pid, { projectId: 'one' }, never),
      network.attach(b.pid, { projectId: 'one' }, never),
      network.attach(c.pid, { projectId: 'two' }, never),
    ]);
    await Promise.all([b, c, internet].map((it) => it.listen('0.0.0.0', 80, 'answer')));
    await machine.listen('127.0.0.1', 8080, 'edge');
    expect(await a.connect(inB.address, 80)).toMatch(/^answer/);
    expect(await a.connect(inC.address, 80)).toBe('ECONNREFUSED');
    expect(await a.connect(PUBLIC, 80)).toMatch(/^answer/);
    expect(await a.connect(METADATA, 80)).toBe('ECONNREFUSED');
    expect(await a.connect('10.213.0.1', 8080)).toMatch(/^edge/);
  });
});
