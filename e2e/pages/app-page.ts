import type { Locator, Page } from 'playwright-core';

export type BadgeText = 'Ready' | 'Loading' | 'Error' | 'Hibernated';

type AppTabName =
  | 'Overview'
  | 'Deployments'
  | 'Logs'
  | 'Metrics'
  | 'Variables'
  | 'Domains'
  | 'Settings';

/** Much longer than a deployment takes: the tests that run beside a journey use all processors. */
const DEPLOY_MS = 150_000;

/** The page of one app. */
export class AppPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Except for Loading, also waits until the app no longer updates: it is Hibernated while it still stops. */
  async shows(badge: BadgeText): Promise<void> {
    const status = this.page.locator(`[data-status="${badge}"]`).first();
    await status.waitFor({ timeout: DEPLOY_MS }).catch(async () => {
      const shown = await this.page.locator('main').textContent();
      throw new Error(`The app does not become ${badge}. Its page shows:\n${shown}`);
    });
    if (badge === 'Loading') return;
    const banner = this.page.getByText('Application is currently updating').first();
    await banner.waitFor({ state: 'detached', timeout: DEPLOY_MS });
  }

  /** Opens a tab of the page. */
  async openTab(name: AppTabName): Promise<void> {
    const tabs = this.page.getByRole('navigation', { name: 'Application' });
    await tabs.getByRole('link', { name }).click();
  }

  async showsText(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor({ timeout: DEPLOY_MS });
  }

  button(name: 'Hibernate' | 'Wake' | 'Edit App' | 'Delete'): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The public URL of the app. */
  async address(): Promise<string> {
    const link = this.page.getByRole('link', { name: /^http:\/\/.*\.localhost:\d+/ });
    return (await link.getAttribute('href', { timeout: DEPLOY_MS })) ?? '';
  }

  async delete(): Promise<void> {
    await this.button('Delete').click();
    await this.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  }
}
