import type { CDPSession, Page } from 'playwright-core';
import type { Viewport } from '../look-around.ts';
import { controlsOf } from './controls.ts';
import { cutOff, scrolledSideways } from './cut-off.ts';
import { smallTargets } from './small-targets.ts';

/** A window of 1440 by 900 at 200 % is laid out as one of 720 by 450. */
export const SIZES = {
  tablet: { width: 768, height: 1024 },
  zoomed: { width: 720, height: 450 },
  phone: { width: 360, height: 740 },
  'zoomed phone': { width: 320, height: 450 },
} as const satisfies Record<string, Viewport>;
export type Size = keyof typeof SIZES;

const THUMB_PX = 40;

/** What is wrong with a screen at a size: in words, with the elements. */
export async function misfits(page: Page, size: Size): Promise<string[]> {
  const hasThumb = size !== 'zoomed';
  const session = await page.context().newCDPSession(page);
  await beTouched(session, hasThumb);
  await page.setViewportSize(SIZES[size]);
  await drawAll(page);
  const controls = await controlsOf(page, THUMB_PX);
  const found = [
    ...tell('scrolls sideways', await scrolledSideways(page)),
    ...tell('is cut off', await cutOff(page)),
    ...tell('cannot be reached', controls.filter(({ isReached }) => !isReached).map(htmlOf)),
    ...tell('is too small', hasThumb ? smallTargets(controls, THUMB_PX).map(htmlOf) : []),
  ];
  await beTouched(session, false);
  await session.detach();
  return found.map((problem) => `${size}: ${problem}`);
}

function tell(problem: string, elements: string[]): string[] {
  return elements.map((html) => `${problem}: ${html}`);
}

function htmlOf({ html }: { html: string }): string {
  return html;
}

async function beTouched(session: CDPSession, enabled: boolean): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 1 });
}

/** Cards off the screen are not drawn, and answer no press before the frame after they came into view. */
async function drawAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const card of document.querySelectorAll('li')) card.style.contentVisibility = 'visible';
  });
}
