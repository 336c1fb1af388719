import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { LABELS } from './ownership.ts';
import type { PreparedDockerEngine } from './prepare-engine.ts';

/** Serves the output of shell commands. */
const prints = (commands: string) => [
  'RUN busybox mkdir -p /site && busybox chmod 777 /site',
  `CMD ["sh", "-c", "(${commands}) > /site/index.html 2>&1; exec httpd -f -p $PORT -h /site"]`,
];

describe.skipIf(!canRunDocker)('the container of an app', () => {
  let bench: DockerBench;
  let engine: PreparedDockerEngine;

  beforeAll(async () => {
    bench = await createDockerBench();
    engine = await bench.engine();
  });
  afterAll(() => bench.clear());

  async function outputOf(dockerfile: string[]): Promise<{ text: string; appId: string }> {
    const spec = await bench.spec(dockerfile);
    const { address } = await buildAndStart(engine, spec);
    const response = await fetch(`http://${address.host}:${address.port}/`);
    return { text: await response.text(), appId: spec.appId };
  }

  it('has /tmp in memory, of limited size, for every user and for programs', async () => {
    const { text } = await outputOf([
      ...prints(
        'busybox grep /tmp /proc/mounts; busybox cp /bin/busybox /tmp/echo; /tmp/echo runs; busybox stat -c %a /tmp; busybox dd if=/dev/zero of=/tmp/full bs=1M count=300',
      ),
      'USER 1234',
    ]);
    expect(text).toMatch(/^tmpfs \/tmp tmpfs rw,nosuid,nodev,.*size=262144k/m);
    expect(text).not.toMatch(/noexec/);
    expect(text).toMatch(/^runs$/m);
    expect(text).toMatch(/^1777$/m);
    expect(text).toMatch(/No space left on device/);
  });

  it('keeps the files that its image has in /tmp', async () => {
    const { text } = await outputOf([
      'RUN busybox mkdir -p /tmp && echo shipped > /tmp/file',
      ...prints("cat /tmp/file; busybox grep -c ' /tmp ' /proc/mounts"),
    ]);
    expect(text).toBe('shipped\n0\n');
  });

  it('has no core dumps, and the defaults of Docker for system calls and hidden paths', async () => {
    const { text, appId } = await outputOf([
      ...prints('ulimit -c -H; busybox grep Seccomp: /proc/self/status; cat /proc/keys'),
    ]);
    expect(text).toMatch(/^Seccomp:\s+2$/m);
    const [found] = await bench.daemon.api.call<{ Id: string }[]>('GET', '/containers/json', {
      query: { filters: JSON.stringify({ label: [`${LABELS.app}=${appId}`] }) },
      signal: SIGNAL,
    });
    const { HostConfig } = await bench.daemon.api.call<{ HostConfig: Record<string, unknown> }>(
      'GET',
      `/containers/${found?.Id}/json`,
      { signal: SIGNAL },
    );
    expect(HostConfig).toMatchObject({
      IpcMode: 'private',
      CgroupnsMode: 'private',
      UsernsMode: '',
      Ulimits: [{ Name: 'core', Hard: 1, Soft: 1 }],
    });
    // Refused by storage without quotas, as that of this test.
    expect(HostConfig).not.toHaveProperty('StorageOpt');
    const { MaskedPaths } = HostConfig as { MaskedPaths: string[] };
    expect(MaskedPaths).toContain('/proc/keys');
  });
});
