import { eventually } from '@longshore/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildAndStart,
  createDockerBench,
  type DockerBench,
  SIGNAL,
} from '../../../test/engines/docker/docker-bench.ts';
import { canRunDocker } from '../../../test/engines/docker/docker-daemon.ts';
import { createOperator } from '../../../test/engines/docker/operator.ts';
import type { ReleaseSpec } from '../engine.ts';

/** Serves, and prints increasing numbers to both outputs, about a hundred per second. */
const COUNTS =
  'CMD ["sh", "-c", "(i=0; while true; do echo out $i; echo err $i >&2; i=$((i+1)); busybox usleep 10000; done) & exec httpd -f -p $PORT"]';

/** Prints more at once than Docker keeps in the log of a container. */
const LAST_NUMBER = 24_000;
const PRINTS_FAST = `CMD ["sh", "-c", "busybox seq ${LAST_NUMBER} | busybox sed s/$/${'x'.repeat(900)}/; echo end; exec httpd -f -p $PORT"]`;

describe.skipIf(!canRunDocker)('logs of containers', () => {
  let bench: DockerBench;

  beforeAll(async () => {
    bench = await createDockerBench();
  });
  beforeEach(() => {
    bench.lines.length = 0;
  });
  afterEach(() => bench.closeEngines());
  afterAll(() => bench.clear());

  it('logs both outputs, long lines and a final line without a newline', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([
      'CMD ["sh", "-c", "echo out; echo err >&2; busybox seq -s x 10000; echo after; printf bye"]',
    ]);
    await engine.build(spec, () => {}, SIGNAL);
    const instance = await engine.startInstance(spec, SIGNAL);
    await eventually(() => loggedLines(instance.logName).includes('bye'), 'the last line');
    const lines = loggedLines(instance.logName);
    const long = lines.filter((line) => line.startsWith('1x2x3'));
    const whole = Array.from({ length: 10_000 }, (_, index) => index + 1).join('x');
    expect(long).toEqual([`${whole.slice(0, 16_384)} …`]);
    expect(lines.filter((line) => line !== long[0]).sort()).toEqual(['after', 'bye', 'err', 'out']);
  });

  it('neither loses nor repeats a line across a server restart', async () => {
    const first = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    const { logName } = await buildAndStart(first, spec);
    await eventually(() => loggedLines(logName).length > 100);
    await first.close();
    const countBefore = loggedLines(logName).length;
    const second = await bench.engine();
    await eventually(() => loggedLines(logName).length > countBefore + 100);
    await second.stopInstance(spec.appId, await onlyInstance(second, spec), SIGNAL);
    expectComplete(loggedLines(logName));
  });

  it('follows an app that Docker restarted, and reports the restart', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    const { logName } = await buildAndStart(engine, spec);
    const changes: string[] = [];
    engine.watch((appId) => changes.push(appId));
    await eventually(() => loggedLines(logName).length > 20);
    const { Pid } = await stateOf(spec);
    process.kill(Pid, 'SIGKILL');
    const startsOf = (output: string) =>
      loggedLines(logName).filter((line) => line === `${output} 0`).length;
    await eventually(() => startsOf('out') === 2 && startsOf('err') === 2, 'the second start');
    expect(changes).toContain(spec.appId);
    expectComplete(loggedLines(logName), { runs: 2 });
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('continues after Docker was killed, and neither loses nor repeats a line', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    const { logName } = await buildAndStart(engine, spec);
    await eventually(() => loggedLines(logName).length > 100);
    await bench.daemon.kill();
    for (const call of [
      () => engine.observe(spec.appId, SIGNAL),
      () => engine.startInstance(spec, SIGNAL),
      () => engine.build({ ...spec, number: 2 }, () => {}, SIGNAL),
      () => engine.removeApp(spec.appId, SIGNAL),
    ]) {
      await expect(call()).rejects.toMatchObject({ reason: 'engine-down' });
    }
    const changes: string[] = [];
    engine.watch((appId) => changes.push(appId));
    await bench.daemon.startAgain();
    await eventually(() => changes.includes(spec.appId), 'the change to be reported');
    // Docker has stopped the running container and does not restart it.
    const exited = await onlyInstance(engine, spec);
    expect(exited.state.kind).toBe('exited');
    await engine.stopInstance(spec.appId, exited, SIGNAL);
    const next = await buildAndStart(engine, spec);
    await eventually(() => loggedLines(next.logName).length > 100);
    expect((await onlyInstance(engine, spec)).id).toBe(next.id);
    expectComplete(loggedLines(logName));
    expectComplete(loggedLines(next.logName));
    await engine.removeApp(spec.appId, SIGNAL);
    expect(bench.errors).toEqual([]);
  });

  it('repeats no line of apps that write faster than their logs are read, and brings the last one', async () => {
    const engine = await bench.engine();
    // Each may be one whose stream hangs when Docker rotates its log file.
    const apps = await Promise.all(
      ['a', 'b', 'c'].map(async () => {
        const spec = await bench.spec([PRINTS_FAST]);
        return { spec, logName: (await buildAndStart(engine, spec)).logName };
      }),
    );
    for (const { spec, logName } of apps) {
      await eventually(() => loggedLines(logName).includes('end'), 'the last line');
      const numbers = loggedLines(logName).flatMap((line) => /^(\d+)x/.exec(line)?.[1] ?? []);
      const inOrder = [...new Set(numbers.map(Number))].sort((one, other) => one - other);
      expect(numbers.map(Number)).toEqual(inOrder);
      expect(inOrder.at(-1)).toBe(LAST_NUMBER);
      await engine.removeApp(spec.appId, SIGNAL);
    }
  });

  it('logs no error for followers whose containers were removed', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    await buildAndStart(engine, spec);
    await engine.removeApp(spec.appId, SIGNAL);
    await bench.closeEngines();
    expect(bench.errors).toEqual([]);
  });

  function loggedLines(logName: string): string[] {
    const start = `[${logName}]: `;
    return bench.lines
      .filter((line) => line.startsWith(start))
      .map((line) => line.slice(start.length));
  }

  async function onlyInstance(
    engine: Awaited<ReturnType<DockerBench['engine']>>,
    { appId }: ReleaseSpec,
  ) {
    const { instances } = await engine.observe(appId, SIGNAL);
    const [instance] = instances;
    if (instance === undefined || instances.length > 1)
      throw new Error('There is not one instance');
    return instance;
  }

  async function stateOf({ appId }: ReleaseSpec): Promise<{ Pid: number }> {
    const operator = createOperator(bench.daemon.api);
    const found = (await operator.containers()).find(({ Names }) => Names[0]?.includes(appId));
    const path = `/containers/${found?.Id}/json`;
    return (await operator.inspect<{ State: { Pid: number } }>(path)).State;
  }
});

/** Expects every number of both outputs once and in order, from 0 on with each start of the container. */
function expectComplete(lines: string[], { runs = 1 } = {}): void {
  for (const output of ['out', 'err']) {
    const numbers = lines
      .filter((line) => line.startsWith(output))
      .map((line) => Number(line.slice(output.length + 1)));
    const follows = numbers.map(
      (number, index) => number === 0 || number === (numbers[index - 1] ?? 0) + 1,
    );
    expect(follows).not.toContain(false);
    expect(numbers.filter((number) => number === 0)).toHaveLength(runs);
    expect(numbers.length).toBeGreaterThan(10);
  }
}
