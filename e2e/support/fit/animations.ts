import type { Page } from 'playwright-core';

const IMPERCEPTIBLE_MS = 1;

/** Elements with running animations, or transitions, that are long enough to be visible. */
export async function findAnimations(page: Page): Promise<string[]> {
  return await page.evaluate((imperceptibleMs) => {
    const running = document.getAnimations().filter(({ playState, effect }) => {
      return (
        playState === 'running' && Number(effect?.getComputedTiming().endTime) > imperceptibleMs
      );
    });
    const withTransition = [...document.body.querySelectorAll('*')].filter((element) =>
      getComputedStyle(element)
        .transitionDuration.split(',')
        .some((seconds) => Number.parseFloat(seconds) * 1000 > imperceptibleMs),
    );
    return [
      ...running.map((it) => (it.effect as KeyframeEffect).target?.outerHTML.slice(0, 160) ?? ''),
      ...withTransition.map((element) => element.outerHTML.slice(0, 160)),
    ];
  }, IMPERCEPTIBLE_MS);
}
