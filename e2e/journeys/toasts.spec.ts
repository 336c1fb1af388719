import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { pauseClock } from '../support/pause-clock.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const longshore = sharedLongshore();
const browser = sharedBrowser();

/** A page with one toast and a paused clock. */
async function openWithToast(): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'no-preference',
  });
  const page = await context.newPage();
  await page.goto(`${longshore.url}/forgot-password`);
  await page.getByRole('button', { name: 'Send Reset Link' }).waitFor();
  await pauseClock(page);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await toastOf(page).waitFor();
  return page;
}

function toastOf(page: Page) {
  return page.getByRole('listitem').filter({ hasText: 'Please enter your email address' });
}

it('a toast stays for 5000 ms', async () => {
  const page = await openWithToast();
  await page.clock.runFor(4_999);
  expect(await toastOf(page).isVisible()).toBe(true);
  await page.clock.runFor(1);
  await toastOf(page).waitFor({ state: 'detached' });
  await page.context().close();
});

it('a second toast replaces the first', async () => {
  const page = await openWithToast();
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  expect(await page.getByRole('listitem').count()).toBe(1);
  await page.context().close();
});

it('F8 focuses the notifications, then their button', async () => {
  const page = await openWithToast();
  await page.keyboard.press('F8');
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused).toBe('OL');
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('LI');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await toastOf(page).waitFor({ state: 'detached' });
  await page.context().close();
});

it('a toast reports a lost connection', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${longshore.url}/login`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('region', { name: 'Notifications (F8)' }).waitFor({ state: 'attached' });
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Network Error' }).waitFor();
  await context.close();
});

it.each([
  [49, true],
  [51, false],
])('a toast that is swiped by %i px stays: %s', async (distance, stays) => {
  const page = await openWithToast();
  const box = await toastOf(page).boundingBox();
  if (box === null) throw new Error('The toast is not visible.');
  const [x, y] = [box.x + 20, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 10, y);
  await page.mouse.move(x + distance, y);
  await page.mouse.up();
  if (stays) expect(await toastOf(page).isVisible()).toBe(true);
  else await toastOf(page).waitFor({ state: 'detached' });
  await page.context().close();
});
