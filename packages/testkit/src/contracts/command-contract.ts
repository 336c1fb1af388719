import { randomInt } from 'node:crypto';
import type { AppCommand, Engine, ReleaseSpec } from '@longshore/server/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export type CommandHarness = {
  engine: Engine;
  /** The first release of a new app that serves. */
  spec(changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec>;
  /** Undefined for a fake. */
  machine?: {
    /** The lines of a log. */
    lines(logName: string): string[];
    /** How many processes of the machine were started with exactly these arguments. */
    countPrograms(argv: string[]): Promise<number>;
  };
  /** Removes everything that the suite created. */
  clear(): Promise<void>;
};

/** Not the program of another suite that runs on this machine. */
const SLEEP = ['sleep', String(randomInt(10 ** 8, 10 ** 9))];
/** One program in the background, in a session of its own, and one in the foreground. */
const RUNS_FOREVER = `setsid ${SLEEP.join(' ')} & ${SLEEP.join(' ')}`;
/** How long a program may take to start on a busy machine. */
const START_MS = 60_000;

/**
 * Commands that run once in a release. Every engine, and the fake one, runs this suite:
 * `describeCommands('docker', async () => ({ engine, spec, machine, clear }))`.
 */
export function describeCommands(name: string, createHarness: () => Promise<CommandHarness>): void {
  describe(`a command on the ${name} engine`, () => {
    let harness: CommandHarness;
    let engine: Engine;
    const { signal } = new AbortController();

    beforeAll(async () => {
      harness = await createHarness();
      engine = harness.engine;
    });
    afterAll(() => harness.clear());

    it('runs in its release with the variables of the app, and its output is in its log', async () => {
      const spec = await built({ env: { GREETING: 'hello there' } });
      const command = commandOf('sh -c "echo $GREETING; echo port $PORT >&2"');
      expect(await engine.runCommand(spec, command, signal)).toEqual(exitedWith(0));
      if (harness.machine === undefined) return;
      const [first, ...output] = harness.machine.lines(command.logName);
      expect(first).toBe(`$ ${command.text}`);
      expect(output.sort()).toEqual(['hello there', 'port 3000']);
    });

    it('may set a variable of the app to another value', async () => {
      const spec = await built({ env: { GREETING: 'hello there' } });
      // `set` is part of every shell.
      const command = commandOf('GREETING=ahoy sh -c set');
      expect(await engine.runCommand(spec, command, signal)).toEqual(exitedWith(0));
      if (harness.machine === undefined) return;
      const printed = harness.machine.lines(command.logName);
      expect(printed.filter((line) => line.startsWith('GREETING='))).toEqual(["GREETING='ahoy'"]);
    });

    it('reports the exit code', async () => {
      const spec = await built();
      const command = commandOf('sh -c "exit 3"');
      expect(await engine.runCommand(spec, command, signal)).toEqual(exitedWith(3));
      // The same id can run again.
      expect(await engine.runCommand(spec, command, signal)).toEqual(exitedWith(3));
    });

    it('reports a program that does not exist with the exit code of a shell', async () => {
      const spec = await built();
      const end = await engine.runCommand(spec, commandOf('no-such-program --at-all'), signal);
      expect(end).toEqual(exitedWith(127));
    });

    it('is no instance of the app', async () => {
      const spec = await built();
      await whileRunning(spec, async () => {
        expect(await engine.observe(spec.appId, signal)).toEqual({ built: [1], instances: [] });
      });
    });

    it('ends at its timeout with everything that it started', async () => {
      const spec = await built();
      const command = { ...commandOf(RUNS_FOREVER), timeoutMs: 2_000 };
      expect(await engine.runCommand(spec, command, signal)).toEqual({ kind: 'timed-out' });
      expect(await programs()).toBe(0);
    });

    it('ends on abort with everything that it started', async () => {
      const spec = await built();
      await whileRunning(spec, async () => {});
      expect(await programs()).toBe(0);
    });

    it('runs once at a time for each id', async () => {
      const spec = await built();
      await whileRunning(spec, async (command) => {
        const second = engine.runCommand(spec, command, signal);
        await expect(second).rejects.toMatchObject({ reason: 'engine-failed' });
        const other = { ...commandOf('sh -c "exit 4"'), id: 'other' };
        expect(await engine.runCommand(spec, other, signal)).toEqual(exitedWith(4));
      });
    });

    it('keeps the build that it uses', async () => {
      const spec = await built();
      await whileRunning(spec, async () => {
        await engine.pruneReleases(spec.appId, [], signal);
        expect((await engine.observe(spec.appId, signal)).built).toEqual([1]);
      });
      await engine.pruneReleases(spec.appId, [], signal);
      expect((await engine.observe(spec.appId, signal)).built).toEqual([]);
    });

    it('ends when the app is removed', async () => {
      const spec = await built();
      const running = engine.runCommand(spec, commandOf(RUNS_FOREVER), signal);
      const ended = expect(running).rejects.toThrow();
      await untilRunning();
      await engine.removeApp(spec.appId, signal);
      await ended;
      expect(await programs()).toBe(0);
    });

    it('needs a built release', async () => {
      const spec = await harness.spec();
      await expect(engine.runCommand(spec, commandOf('true'), signal)).rejects.toMatchObject({
        reason: 'engine-failed',
      });
    });

    async function built(changes?: Partial<ReleaseSpec>): Promise<ReleaseSpec> {
      const spec = await harness.spec(changes);
      await engine.build(spec, () => {}, signal);
      return spec;
    }

    /** Runs a command until the work is done, then aborts it. */
    async function whileRunning(
      spec: ReleaseSpec,
      work: (command: AppCommand) => Promise<void>,
    ): Promise<void> {
      const stop = new AbortController();
      const command = commandOf(RUNS_FOREVER);
      const running = engine.runCommand(spec, command, stop.signal);
      const ended = expect(running).rejects.toThrow();
      try {
        await untilRunning();
        await work(command);
      } finally {
        stop.abort();
        await ended;
      }
    }

    async function untilRunning(): Promise<void> {
      if (harness.machine === undefined) return;
      await expect.poll(programs, { timeout: START_MS }).toBeGreaterThanOrEqual(2);
    }

    async function programs(): Promise<number> {
      return (await harness.machine?.countPrograms(SLEEP)) ?? 0;
    }
  });
}

function exitedWith(code: number) {
  return { kind: 'exited', exit: { code, signal: undefined } };
}

let logs = 0;

function commandOf(text: string): AppCommand {
  logs += 1;
  return { id: 'test', text, logName: `command-log-${logs}`, timeoutMs: 120_000 };
}
