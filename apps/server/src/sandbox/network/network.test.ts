import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createMachine,
  createNamespace,
  GATEWAY,
  MACHINE,
  MACHINE_6,
  METADATA,
  type Namespace,
  openNetworkOn,
  PUBLIC,
  snapshotOf,
} from '../../../test/sandbox/network-machine.ts';
import { forwardPort } from './forward-port.ts';
import { hostCommands } from './host-commands.ts';

const never = new AbortController().signal;

/** Namespaces of root are needed; other users skip these tests. */
describe.runIf(process.getuid?.() === 0)('the network of an installation', () => {
  const started: Namespace[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((namespace) => namespace.stop()));
  });

  async function startMachine(hasIpv6 = false) {
    const { machine, internet } = await createMachine({ hasIpv6 });
    started.push(machine, internet);
    return { machine, internet };
  }

  async function startApps<Count extends number>(count: Count) {
    const apps = await Promise.all(Array.from({ length: count }, createNamespace));
    started.push(...apps);
    await Promise.all(apps.map((app) => app.listen('0.0.0.0', 80, 'app')));
    return apps as [Namespace, ...Namespace[]] & { length: Count };
  }

  it('leaves nothing behind after detaching and closing', async () => {
    const { machine } = await startMachine(true);
    // Rules of containers, which stay.
    await machine.run(['nft', 'add', 'table', 'inet', 'longshore_abc123_bridges']);
    const network = await openNetworkOn(machine);
    const before = await snapshotOf(machine);
    await network.adopt([]);
    const apps = await startApps(3);
    const attached = await Promise.all(
      apps.map((app) => network.attach(app.pid, { projectId: 'one' }, never)),
    );
    await network.close();
    expect(await machine.connect(attached[0]?.address ?? '', 80)).toMatch(/^app/);
    await Promise.all(attached.map((attachment) => network.detach(attachment)));
    await Promise.all(attached.map((attachment) => network.detach(attachment)));
    await network.close();
    expect(await snapshotOf(machine)).toEqual(before);
  });

  it('reaches the edge on all addresses, and a resolver of the host', async () => {
    const { machine } = await startMachine(true);
    const network = await openNetworkOn(machine, {
      edge: { host: '::', ports: [8080] },
      readText: async () => 'nameserver 127.0.0.1',
    });
    await network.adopt([]);
    expect(network.resolvers.nameservers).toEqual([GATEWAY]);
    const [app] = await startApps(1);
    const { address } = await network.attach(app.pid, { projectId: undefined }, never);
    await machine.listen('::', 8080, 'edge');
    await machine.listen('127.0.0.1', 53, 'resolver');
    for (const host of [GATEWAY, MACHINE]) {
      expect(await app.connect(host, 8080)).toBe(`edge ::ffff:${address}`);
    }
    expect(await app.connect(MACHINE_6, 8080)).toMatch(/^edge/);
    expect(await app.send(GATEWAY, 53)).toMatch(/^resolver/);
    expect(await app.connect(GATEWAY, 53)).toMatch(/^resolver/);
  });

  it('gives no IPv6 address without an IPv6 route to the internet', async () => {
    const { machine } = await startMachine(false);
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app] = await startApps(1);
    expect(await network.attach(app.pid, { projectId: 'one' }, never)).not.toHaveProperty(
      'address6',
    );
    expect(await app.run(['ip', '-6', '-o', 'address'])).toMatch(/^1: lo +inet6 ::1\/128 .*$/);
  });

  it('keeps programs apart that have no project', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [one, two] = await startApps(2);
    const options = { projectId: undefined };
    await network.attach(one.pid, options, never);
    const { address } = await network.attach(two?.pid ?? 0, options, never);
    expect(await one.connect(address, 80)).toBe('ECONNREFUSED');
  });

  it('adopts running programs and removes the others', async () => {
    const { machine } = await startMachine();
    const [app, sibling, left] = await startApps(3);
    const previous = await openNetworkOn(machine);
    await previous.adopt([]);
    const running = await Promise.all(
      [app, sibling].map(async (it) => ({
        ...(await previous.attach(it?.pid ?? 0, { projectId: 'one' }, never)),
        projectId: 'one',
      })),
    );
    const { device } = await previous.attach(left?.pid ?? 0, { projectId: 'one' }, never);
    const next = await openNetworkOn(machine);
    await next.adopt(running);
    expect(await app.connect(running[1]?.address ?? '', 80)).toMatch(/^app/);
    expect(await machine.run(['ip', 'link'])).not.toContain(device);
    expect(await machine.run(['nft', 'list', 'ruleset'])).not.toContain(device);
  });

  it('survives SIGKILL of the server at any moment of attaching', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const before = await snapshotOf(machine);
    const apps = await startApps(4);
    for (const [index, app] of apps.entries()) {
      const script = join(import.meta.dirname, '../../../test/sandbox/attach.ts');
      const enter = [`--net=/proc/${machine.pid}/ns/net`, '--', process.execPath, script];
      const server = spawn('nsenter', [...enter, String(app.pid)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const exited = once(server, 'exit');
      // It reports the start of each command, several at once.
      let commands = 0;
      await new Promise<void>((resolve) => {
        server.on('message', () => {
          commands += 1;
          if (commands > index) resolve();
        });
      });
      server.kill('SIGKILL');
      await exited;
      await network.adopt([]);
    }
    // A command of the killed server may still have run.
    await network.adopt([]);
    expect(await snapshotOf(machine)).toEqual(before);
  });

  it('removes what it created when attaching is cancelled or fails', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const before = await snapshotOf(machine);
    const [app] = await startApps(1);
    const cancel = new AbortController();
    const attaching = network.attach(app.pid, { projectId: 'one' }, cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(attaching).rejects.toThrow('cancelled');
    // A second device named eth0 cannot exist.
    await app.run(['ip', 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'other']);
    await expect(network.attach(app.pid, { projectId: 'one' }, never)).rejects.toThrow(
      'File exists',
    );
    await expect(network.attach(machine.pid, { projectId: 'one' }, never)).rejects.toThrow(
      'has no network namespace of its own',
    );
    expect(await snapshotOf(machine)).toEqual(before);
  });

  it('drops packets, and refuses none, while the map of projects is being replaced', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app, sibling] = await startApps(2);
    const options = { projectId: 'one' };
    const own = await network.attach(app.pid, options, never);
    const { address } = await network.attach(sibling?.pid ?? 0, options, never);
    const map = ['inet', 'longshore_abc123', 'projects'] as const;
    await machine.run(['nft', 'delete', 'element', ...map, `{ ${own.address} }`]);
    expect(await app.isDropped(address, 80)).toBe(true);
    const connecting = app.connect(address, 80);
    await machine.run(['nft', 'add', 'element', ...map, `{ ${own.address} : 1 }`]);
    expect(await connecting).toBe(`app ${own.address}`);
  });

  it('keeps its rules at every moment while programs come and go', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app, sibling, outsider, ...others] = await startApps(6);
    const options = { projectId: 'one' };
    const [own, ofSibling, ofOther] = await Promise.all([
      network.attach(app.pid, options, never),
      network.attach(sibling?.pid ?? 0, options, never),
      network.attach(outsider?.pid ?? 0, { projectId: 'two' }, never),
    ]);
    const running = [
      { ...own, ...options },
      { ...ofSibling, ...options },
      { ...ofOther, projectId: 'two' },
    ];
    let isChanging = true;
    const changing = (async () => {
      for (let round = 0; round < 5; round += 1) {
        const attached = await Promise.all(
          others.map((it) => network.attach(it.pid, options, never)),
        );
        await Promise.all(attached.map((attachment) => network.detach(attachment)));
        await network.adopt(running);
      }
    })().finally(() => {
      isChanging = false;
    });
    const results = new Set<string>();
    while (isChanging) {
      results.add(await app.connect(ofOther.address, 80));
      results.add(await app.connect(ofSibling.address, 80));
    }
    await changing;
    expect([...results]).toEqual(['ECONNREFUSED', `app ${own.address}`]);
  });

  it('shares the machine with another installation', async () => {
    const { machine } = await startMachine();
    const first = await openNetworkOn(machine, { installation: 'aaaaaa' });
    const before = await snapshotOf(machine);
    const second = await openNetworkOn(machine, { installation: 'bbbbbb' });
    await Promise.all([first.adopt([]), second.adopt([])]);
    const [one, two] = await startApps(2);
    const project = { projectId: 'one' };
    const ofSecond = await second.attach(two?.pid ?? 0, project, never);
    const ofFirst = await first.attach(one.pid, project, never);
    expect(await one.connect(ofSecond.address, 80)).toBe('ECONNREFUSED');
    await first.adopt([]);
    expect(await machine.connect(ofSecond.address, 80)).toMatch(/^app/);
    await first.detach(ofFirst);
    await first.close();
    expect(await machine.connect(ofSecond.address, 80)).toMatch(/^app/);
    await second.detach(ofSecond);
    await second.close();
    expect(await snapshotOf(machine)).toEqual(before);
  });

  it('takes another address when an installation uses the first', async () => {
    const { machine } = await startMachine();
    const random = () => Uint8Array.of(0, 0, 0, 0, 0, 0, 0);
    const first = await openNetworkOn(machine, { installation: 'aaaaaa', random });
    const second = await openNetworkOn(machine, { installation: 'bbbbbb', random });
    await first.adopt([]);
    await second.adopt([]);
    const [one, two] = await startApps(2);
    expect((await first.attach(one.pid, { projectId: 'p' }, never)).address).toBe('10.213.0.3');
    expect((await second.attach(two?.pid ?? 0, { projectId: 'p' }, never)).address).toBe(
      '10.213.0.4',
    );
  });

  it('names the command that lets programs pass a firewall, and the command works', async () => {
    const { machine, internet } = await startMachine();
    await internet.listen('0.0.0.0', 80, 'internet');
    await machine.run(['iptables', '-P', 'FORWARD', 'DROP']);
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app] = await startApps(1);
    const { address } = await network.attach(app.pid, { projectId: 'one' }, never);
    expect(await machine.connect(address, 80)).toMatch(/^app/);
    expect(await app.isDropped(PUBLIC, 80)).toBe(true);
    const problem = (await network.firewallProblem(never)) ?? '';
    for (const command of problem.replace(/.*run: /, '').split(' && ')) {
      await machine.run(command.split(' ') as [string, ...string[]]);
    }
    expect(await app.connect(PUBLIC, 80)).toMatch(/^internet/);
    expect(await app.connect(METADATA, 80)).toBe('ECONNREFUSED');
    expect(await network.firewallProblem(never)).toBeUndefined();
  });

  it('passes the firewall of Docker, and leaves it as it was', async () => {
    const { machine, internet } = await startMachine();
    await internet.listen('0.0.0.0', 80, 'internet');
    await machine.run(['iptables', '-P', 'FORWARD', 'DROP']);
    await machine.run(['iptables', '-N', 'DOCKER-USER']);
    await machine.run(['iptables', '-A', 'FORWARD', '-j', 'DOCKER-USER']);
    const before = await machine.run(['nft', 'list', 'ruleset']);
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    await network.repair();
    const [app] = await startApps(1);
    const attachment = await network.attach(app.pid, { projectId: 'one' }, never);
    expect(await app.connect(PUBLIC, 80)).toMatch(/^internet/);
    expect(await app.connect(METADATA, 80)).toBe('ECONNREFUSED');
    expect(await network.firewallProblem(never)).toBeUndefined();
    await network.detach(attachment);
    await network.close();
    expect(withoutCounts(await machine.run(['nft', 'list', 'ruleset']))).toBe(
      withoutCounts(before),
    );
  });

  it('passes the firewall of Docker while other installations come and go', async () => {
    const { machine } = await startMachine();
    await machine.run(['iptables', '-N', 'DOCKER-USER']);
    await machine.run(['iptables', '-A', 'FORWARD', '-j', 'DOCKER-USER']);
    const open = async (installation: string) => {
      const network = await openNetworkOn(machine, { installation });
      await network.adopt([]);
      return network;
    };
    for (let round = 0; round < 5; round += 1) {
      const networks = await Promise.all(['aaaaaa', 'bbbbbb', 'cccccc'].map(open));
      await Promise.all(networks.map((network) => network.close()));
    }
    const chain = await machine.run(['nft', 'list', 'chain', 'ip', 'filter', 'DOCKER-USER']);
    expect(chain).not.toContain('accept');
  });

  it('restores rules and routes that somebody removed', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app, outsider] = await startApps(2);
    const own = await network.attach(app.pid, { projectId: 'one' }, never);
    const other = await network.attach(outsider?.pid ?? 0, { projectId: 'two' }, never);
    const before = await snapshotOf(machine);
    await machine.run(['nft', 'flush', 'ruleset']);
    await machine.run(['ip', 'address', 'delete', `${GATEWAY}/32`, 'dev', 'lo']);
    await network.repair();
    expect(await app.connect(other.address, 80)).toBe('ECONNREFUSED');
    expect(await machine.connect(own.address, 80)).toMatch(/^app/);
    await network.repair();
    expect(await snapshotOf(machine)).toEqual(before);
  });

  it('refuses a network that the machine uses', async () => {
    const { machine } = await startMachine();
    await machine.run(['ip', 'route', 'add', '10.213.5.0/24', 'dev', 'wan']);
    const network = await openNetworkOn(machine);
    await expect(network.adopt([])).rejects.toThrow(
      'LONGSHORE_NETWORK 10.213.0.0/16 is in use on this machine: route 10.213.5.0/24 of device wan.',
    );
  });

  it('forwards to a program that listens only on 127.0.0.1', async () => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app] = await startApps(1);
    const { address } = await network.attach(app.pid, { projectId: 'one' }, never);
    for (const port of [3000, 3001]) {
      await app.listen('127.0.0.1', port, 'local');
      expect(await machine.connect(address, port)).toBe('ECONNREFUSED');
      const forward = { port, to: port, isLoopback: true };
      await forwardPort(app.pid, forward, never);
      await forwardPort(app.pid, forward, never);
      expect(await machine.connect(address, port)).toBe(`local ${GATEWAY}`);
    }
  });

  it.each([
    ['all addresses', '0.0.0.0', false],
    ['127.0.0.1', '127.0.0.1', true],
  ])('forwards to another port on %s', async (_, host, isLoopback) => {
    const { machine } = await startMachine();
    const network = await openNetworkOn(machine);
    await network.adopt([]);
    const [app] = await startApps(1);
    const { address } = await network.attach(app.pid, { projectId: 'one' }, never);
    await app.listen(host, 3000, 'other port');
    await forwardPort(app.pid, { port: 8000, to: 3000, isLoopback }, never);
    expect(await machine.connect(address, 8000)).toBe(`other port ${GATEWAY}`);
  });

  it('forwards nothing on the machine itself, whose process may have got the pid', async () => {
    const commands: string[] = [];
    const run = async ([program]: readonly [string, ...string[]]) => {
      commands.push(program);
      return '';
    };
    const forward = { port: 3000, to: 3000, isLoopback: true };
    const forwarded = forwardPort(process.pid, forward, never, { ...hostCommands, run });
    await expect(forwarded).rejects.toThrow('has no network namespace of its own');
    expect(commands).toEqual([]);
  });
});

/** The rules without the packets that they counted. */
function withoutCounts(ruleset: string): string {
  return ruleset.replace(/counter packets \d+ bytes \d+/g, 'counter');
}
