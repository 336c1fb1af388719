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

/** Serves; says a number, then the next one to the other output, and so on, some hundred in a second. */
const COUNTS =
  'CMD ["sh", "-c", "(i=0; while true; do echo out $i; echo err $i >&2; i=$((i+1)); busybox usleep 10000; done) & exec httpd -f -p $PORT"]';

/** Says more at once than Docker keeps of a container. */
const LAST = 24_000;
const LOUD = `CMD ["sh", "-c", "busybox seq ${LAST} | busybox sed s/$/${'x'.repeat(900)}/; echo end; exec httpd -f -p $PORT"]`;

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
    await eventually(() => said(instance.logName).includes('bye'), 'the last words');
    const lines = said(instance.logName);
    const long = lines.filter((line) => line.startsWith('1x2x3'));
    const whole = Array.from({ length: 10_000 }, (_, index) => index + 1).join('x');
    expect(long).toEqual([`${whole.slice(0, 16_384)} …`]);
    expect(lines.filter((line) => line !== long[0]).sort()).toEqual(['after', 'bye', 'err', 'out']);
  });

  it('neither loses nor repeats a line across a server restart', async () => {
    const first = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    const { logName } = await buildAndStart(first, spec);
    await eventually(() => said(logName).length > 100);
    await first.close();
    const told = said(logName).length;
    const second = await bench.engine();
    await eventually(() => said(logName).length > told + 100);
    await second.stopInstance(spec.appId, await only(second, spec), SIGNAL);
    expectWhole(said(logName));
  });

  it('follows an app that Docker restarted, and reports the restart', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    const { logName } = await buildAndStart(engine, spec);
    const changes: string[] = [];
    engine.watch((appId) => changes.push(appId));
    await eventually(() => said(logName).length > 20);
    const { Pid } = await stateOf(spec);
    process.kill(Pid, 'SIGKILL');
    await eventually(() => said(logName).filter((line) => line === 'out 0').length === 2);
    expect(changes).toContain(spec.appId);
    expectWhole(said(logName), { runs: 2 });
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('continues after Docker was killed, and neither loses nor repeats a line', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    const { logName } = await buildAndStart(engine, spec);
    await eventually(() => said(logName).length > 100);
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
    await eventually(() => changes.includes(spec.appId), 'the news');
    // Docker has ended what it found running, and leaves it so.
    expect((await only(engine, spec)).state.kind).toBe('exited');
    const next = await buildAndStart(engine, spec);
    await eventually(() => said(next.logName).length > 20);
    expect((await only(engine, spec)).id).toBe(next.id);
    expectWhole(said(logName));
    expectWhole(said(next.logName));
    await engine.removeApp(spec.appId, SIGNAL);
    expect(bench.errors).toEqual([]);
  });

  it('repeats no line of an app that writes faster than its log is read', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([LOUD]);
    const { logName } = await buildAndStart(engine, spec);
    await eventually(() => said(logName).includes('end'), 'the end');
    const numbers = said(logName).flatMap((line) => /^(\d+)x/.exec(line)?.[1] ?? []);
    const inOrder = [...new Set(numbers.map(Number))].sort((one, other) => one - other);
    expect(numbers.map(Number)).toEqual(inOrder);
    expect(inOrder.at(-1)).toBe(LAST);
    await engine.removeApp(spec.appId, SIGNAL);
  });

  it('logs no error for followers whose containers were removed', async () => {
    const engine = await bench.engine();
    const spec = await bench.spec([COUNTS]);
    await buildAndStart(engine, spec);
    await engine.removeApp(spec.appId, SIGNAL);
    await bench.closeEngines();
    expect(bench.errors).toEqual([]);
  });

  function said(logName: string): string[] {
    const start = `[${logName}]: `;
    return bench.lines
      .filter((line) => line.startsWith(start))
      .map((line) => line.slice(start.length));
  }

  async function only(engine: Awaited<ReturnType<DockerBench['engine']>>, { appId }: ReleaseSpec) {
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

/** Every number of both outputs once, in order, from 0 on; again so after each start of the container. */
function expectWhole(lines: string[], { runs = 1 } = {}): void {
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
