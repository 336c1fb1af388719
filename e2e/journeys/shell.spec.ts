import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { pauseClock } from '../support/pause-clock.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const EMAIL = 'ada@example.com';
const PROJECTS = 14;
/** One unit of the spacing scale, in pixels. */
const UNIT_PX = 4;
const SIZES = { small: [360, 740], middle: [768, 1024], wide: [1440, 900] } as const;

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const browser = sharedBrowser();

let sharedContext: BrowserContext;

beforeAll(async () => {
  const account = await signUp(longshore.url, EMAIL);
  for (let number = 1; number <= PROJECTS; number += 1)
    await account.createProject(`Pier ${number}`);
  await account.deploy({ name: 'web', url: 'https://git.invalid/web.git' });
  sharedContext = await browser.newContext();
  await signInAs(await sharedContext.newPage(), longshore.url, EMAIL);
});

afterAll(() => sharedContext?.close());

type Size = keyof typeof SIZES;

async function open(size: Size): Promise<Page> {
  const [width, height] = SIZES[size];
  const page = await sharedContext.newPage();
  await page.setViewportSize({ width, height });
  await page.goto(`${longshore.url}/dashboard`);
  await page.getByRole('link', { name: 'Pier 1', exact: true }).waitFor();
  return page;
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error('The element is not visible.');
  return box;
}

function styleOf(part: Locator, name: string): Promise<string> {
  return part.evaluate(
    (element, wanted) => getComputedStyle(element).getPropertyValue(wanted),
    name,
  );
}

describe.each(Object.keys(SIZES) as Size[])('on a %s screen', (size) => {
  it('the top bar is 16 units high and sticky, and nothing scrolls horizontally', async () => {
    const page = await open(size);
    const bar = page.getByRole('banner');
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
    expect(await boxOf(bar)).toMatchObject({ y: 0, height: 16 * UNIT_PX });
    for (const path of ['projects', 'integrations', 'user/profile', 'user/security', 'nowhere']) {
      await page.goto(`${longshore.url}/dashboard/${path}`);
      await page.locator('h1:not(.sr-only)').waitFor();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    await page.close();
  });

  it('the navigation is in the top bar, or in a menu on a small screen', async () => {
    const page = await open(size);
    const isSmall = size === 'small';
    const links = page.getByRole('banner').getByRole('navigation');
    expect(await links.isVisible()).toBe(!isSmall);
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(isSmall);
    await page.close();
  });

  it('cards use as many columns as fit, three on a wide screen', async () => {
    const page = await open(size);
    const columns = await styleOf(
      page.getByRole('main').getByRole('list').first(),
      'grid-template-columns',
    );
    expect(columns.split(' ')).toHaveLength({ small: 1, middle: 2, wide: 3 }[size]);
    await page.close();
  });
});

describe('the shell', () => {
  it('keeps its content within the 7xl container', async () => {
    const page = await open('wide');
    await page.setViewportSize({ width: 2200, height: 900 });
    const { x, width } = await boxOf(page.getByRole('main'));
    expect(width).toBe(80 * 16);
    expect(x).toBeCloseTo((2200 - width) / 2, -1);
    await page.close();
  });

  it('has a border and a translucent background when scrolled beyond 10 px', async () => {
    const page = await open('wide');
    const bar = page.getByRole('banner');
    const [plain, none] = [await styleOf(bar, 'background-color'), 'rgba(0, 0, 0, 0)'];
    async function scrolledTo(top: number) {
      await page.evaluate((y) => scrollTo(0, y), top);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    await scrolledTo(10);
    expect(await styleOf(bar, 'border-bottom-color')).toBe(none);
    await scrolledTo(11);
    await expect.poll(() => styleOf(bar, 'border-bottom-color')).not.toBe(none);
    await expect.poll(() => styleOf(bar, 'background-color')).toMatch(/0\.8\)/);
    await scrolledTo(0);
    await expect.poll(() => styleOf(bar, 'border-bottom-color')).toBe(none);
    await expect.poll(() => styleOf(bar, 'background-color')).toBe(plain);
    await page.close();
  });

  it('has a menu of 64 units at the left of a small screen, which closes after navigation', async () => {
    const page = await open('small');
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Longshore' });
    await expect.poll(() => menu.boundingBox()).toMatchObject({ x: 0, width: 64 * UNIT_PX });
    await menu.getByText('All services operational').waitFor();
    await menu.getByRole('link', { name: 'Integrations' }).click();
    await menu.waitFor({ state: 'detached' });
    await page.waitForURL(`${longshore.url}/dashboard/integrations`);
    await page.close();
  });

  it('opens a submenu after the pointer rested on it for 100 ms', async () => {
    // A clock applies to all pages of a context.
    const context = await browser.newContext();
    const page = await context.newPage();
    await signInAs(page, longshore.url, EMAIL);
    await page.getByRole('button', { name: 'Actions for Of web' }).click();
    const opener = page.getByRole('menuitem', { name: 'Open' });
    await opener.waitFor();
    await pauseClock(page);
    await opener.hover();
    await page.clock.runFor(99);
    expect(await page.getByRole('menuitem', { name: 'web' }).count()).toBe(0);
    await page.clock.runFor(1);
    await page.getByRole('menuitem', { name: 'web' }).waitFor();
    await context.close();
  });

  it('keeps accent and theme, as attribute, variable and colour, after a reload', async () => {
    const page = await open('wide');
    const root = page.locator('html');
    expect(await root.getAttribute('data-accent')).toBe('amber');
    await page.getByRole('button', { name: 'Accent colour' }).click();
    const accents = page.getByRole('dialog').getByRole('button');
    await expect.poll(() => accents.count()).toBe(9);
    await page.getByRole('button', { name: 'teal' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.reload();
    expect(await root.getAttribute('data-accent')).toBe('teal');
    expect(await root.getAttribute('data-theme')).toBe('dark');
    expect(await styleOf(root, '--accent')).toBe('#0f766e');
    expect(await styleOf(page.locator('body'), 'background-color')).toBe('rgb(12, 13, 15)');
    await page.close();
  });

  it('is dark on a dark system before any code of the console has run', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    const page = await context.newPage();
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(`${longshore.url}/login`);
    expect(await page.locator('#root').innerHTML()).toBe('');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await styleOf(page.locator('body'), 'background-color')).toBe('rgb(12, 13, 15)');
    await context.close();
  });

  it('is not restyled for a dialog, whose overlay receives all clicks', async () => {
    const page = await open('wide');
    const main = page.locator('main');
    const { x, y } = await boxOf(main.getByRole('heading', { level: 2 }).first());
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.waitFor();
    const inherited = ['pointer-events', '--removed-body-scroll-bar-size'];
    expect(await Promise.all(inherited.map((name) => styleOf(main, name)))).toEqual([
      'auto',
      '0px',
    ]);
    await page.mouse.click(x + 1, y + 1);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await page.close();
  });

  it('has a command palette that gets every key typed after Ctrl+K, even if code loads slowly', async () => {
    const page = await open('wide');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Pier 14');
    await page.keyboard.press('Enter');
    release();
    await page.getByRole('heading', { name: 'Pier 14', level: 1 }).waitFor();
    await page.close();
  });

  it('shows a 404 page with and without the shell', async () => {
    const page = await open('wide');
    await page.goto(`${longshore.url}/dashboard/nowhere`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.getByRole('banner').count()).toBe(1);
    await page.goto(`${longshore.url}/nowhere`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.getByRole('banner').count()).toBe(0);
    await page.close();
  });

  it('loads code again when the network changes, and shows an error if that does not help', async () => {
    const page = await open('wide');
    let requests = 0;
    await page.route(/(profile|security)-screen.*\.js$/, async (route) => {
      requests += 1;
      const isBroken = requests <= 2 || route.request().url().includes('security');
      await (isBroken ? route.abort('connectionreset') : route.continue());
    });
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByText(/^Joined/).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Security');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This page failed to load' }).waitFor();
    await page.unroute(/(profile|security)-screen.*\.js$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.close();
  });

  it('asks before Back discards the edits in a dialog', async () => {
    const page = await open('wide');
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('button', { name: 'New Project', exact: true }).click();
    await page.getByLabel('Project name').fill('Pier');
    await page.evaluate(() => history.back());
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/projects');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL(`${longshore.url}/dashboard/integrations`);
    await page.close();
  });

  it('shows a skeleton until the profile is loaded', async () => {
    const page = await open('wide');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/profile-screen.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('status', { name: 'Loading your profile' }).waitFor();
    release();
    await page.getByText(/^Joined/).waitFor();
    expect(await page.getByRole('status', { name: 'Loading your profile' }).count()).toBe(0);
    await page.close();
  });
});
