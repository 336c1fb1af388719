import type { CDPSession, Page } from 'playwright-core';

export type ScrollResult = {
  framesPerSecond: number;
  /** Main thread time of each frame, from the scroll to the end of its layout and paint. */
  workMs: number[];
  /** Processor time of the main thread and, of that, in scripts, per frame. Not affected by other processes. */
  taskCpuMs: number;
  scriptCpuMs: number;
  longestTaskMs: number;
};

/** Scrolls by the same distance in each frame, from where the element is. */
export async function scrollByFrames(
  page: Page,
  selector: string,
  { frames, stepPx }: { frames: number; stepPx: number },
): Promise<ScrollResult> {
  return await measure(page, { selector, frames, stepPx });
}

/** Moves the scroll bar from one end to the other and back. */
export async function scrollTo(
  page: Page,
  selector: string,
  frames: number,
): Promise<ScrollResult> {
  return await measure(page, { selector, frames, stepPx: undefined });
}

type Movement = { selector: string; frames: number; stepPx: number | undefined };

async function measure(page: Page, movement: Movement): Promise<ScrollResult> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await cpuTimes(session);
  const { tookMs, workMs, longestTaskMs } = await page.evaluate(scrollInPage, movement);
  const after = await cpuTimes(session);
  await session.detach();
  return {
    framesPerSecond: (movement.frames / tookMs) * 1_000,
    workMs,
    taskCpuMs: (after.taskMs - before.taskMs) / movement.frames,
    scriptCpuMs: (after.scriptMs - before.scriptMs) / movement.frames,
    longestTaskMs,
  };
}

async function cpuTimes(session: CDPSession): Promise<{ taskMs: number; scriptMs: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const msOf = (name: string) =>
    (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
  return { taskMs: msOf('TaskDuration'), scriptMs: msOf('ScriptDuration') };
}

/** Runs in the page. */
async function scrollInPage({ selector, frames, stepPx }: Movement) {
  const element = document.querySelector(selector) as HTMLElement;
  const furthest = element.scrollHeight - element.clientHeight;
  if (stepPx !== undefined && stepPx < 0) element.scrollTop = furthest;
  let longestTaskMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  observer.observe({ type: 'longtask' });
  const workMs: number[] = [];
  const startedAt = await new Promise(requestAnimationFrame);
  let endedAt = 0;
  for (let frame = 1; frame <= frames; frame += 1) {
    const { promise, resolve } = Promise.withResolvers<number>();
    requestAnimationFrame((now) => {
      endedAt = now;
      const scrolledAt = performance.now();
      if (stepPx === undefined) {
        element.scrollTop = furthest * Math.abs(1 - (2 * frame) / frames);
      } else element.scrollTop += stepPx;
      // A message is handled after layout and paint of this frame.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - scrolledAt);
      port2.postMessage(undefined);
    });
    workMs.push(await promise);
  }
  observer.disconnect();
  return { tookMs: endedAt - Number(startedAt), workMs, longestTaskMs };
}
