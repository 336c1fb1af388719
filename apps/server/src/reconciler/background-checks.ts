import type { Instance } from '../engines/engine.ts';
import { checkInstance } from './instance-steps.ts';
import type { BackgroundChecks, PassContext } from './pass-context.ts';
import { runOf } from './plan-input.ts';
import type { StepOf } from './step.ts';

/** Of instances whose check began together. `left`: how many have not ended. `isHeld`: those that answered wait for others. */
type Group = {
  step: StepOf<'check'>;
  pass: PassContext;
  left: number;
  isHeld: boolean;
  answered: Instance[];
  timer: unknown;
};

/**
 * The first instance that answers, if nothing serves, waits so long for the others. After a server restart the edge has the route
 * of before, with all instances: without this it would become the first one only, and sticky sessions would move.
 */
const TOGETHER_MS = 500;

export function createBackgroundChecks(signal: AbortSignal): BackgroundChecks {
  const running = new Map<string, AbortController>();
  const allStopping = new AbortController();
  const tasks = new Set<Promise<void>>();
  const failed: ReturnType<BackgroundChecks['takeFailed']> = [];
  let ended = Promise.withResolvers<void>();
  signal.addEventListener('abort', notify, { once: true });

  function notify(): void {
    ended.resolve();
    ended = Promise.withResolvers();
  }

  async function check(instance: Instance, group: Group): Promise<void> {
    const { step, pass } = group;
    const stopping = new AbortController();
    running.set(runOf(instance), stopping);
    const aborted = AbortSignal.any([signal, allStopping.signal, stopping.signal]);
    try {
      group.answered.push(
        await checkInstance(instance, step.release, { ...pass, signal: aborted }),
      );
    } catch (error) {
      // It may be checked again already.
      if (running.get(runOf(instance)) === stopping) running.delete(runOf(instance));
      if (!aborted.aborted) failed.push({ step, instance, error });
    }
    group.left -= 1;
    if (!group.isHeld || group.left === 0) join(group);
    else if (group.answered.length > 0)
      group.timer ??= pass.deps.clock.setTimeout(() => join(group), TOGETHER_MS);
    notify();
  }

  function join(group: Group): void {
    const { pass, answered } = group;
    pass.deps.clock.clearTimeout(group.timer);
    group.isHeld = false;
    const joining = answered.splice(0).filter((instance) => running.delete(runOf(instance)));
    if (joining.length > 0 && !signal.aborted) pass.deps.routing.join(pass.desired, joining);
    notify();
  }

  function end(runs: string[]): void {
    for (const run of runs) {
      running.get(run)?.abort(new Error('The check has ended'));
      running.delete(run);
    }
  }

  return {
    runs: () => new Set(running.keys()),
    begin(step, pass) {
      const { rotation } = pass.deps.routing.rotationOf(pass.desired.id);
      const { instances } = step;
      const isHeld = rotation.size === 0;
      const group = { step, pass, left: instances.length, isHeld, answered: [], timer: undefined };
      for (const instance of instances) {
        const task = check(instance, group);
        tasks.add(task);
        void task.finally(() => tasks.delete(task));
      }
    },
    end,
    takeFailed: () => failed.splice(0),
    nextEnd: () => ended.promise,
    async stop() {
      allStopping.abort(new Error('The pass has ended'));
      end([...running.keys()]);
      await Promise.all(tasks);
    },
  };
}
