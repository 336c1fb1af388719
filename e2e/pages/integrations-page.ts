import type { Locator, Page } from 'playwright-core';

type Token = { provider: 'GitLab' | 'GitHub' | 'Gitea / Forgejo'; address: string; token: string };
type Registry = { host: string; username: string; password: string };

/** The integrations page. */
export class IntegrationsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.getByRole('link', { name: 'Integrations' }).click();
    await this.page.getByRole('heading', { name: 'External Integrations' }).waitFor();
  }

  card(account: string): Locator {
    const name = this.page.getByRole('heading', { name: account, exact: true });
    return this.page.getByRole('main').getByRole('listitem').filter({ has: name });
  }

  /** Starts the OAuth flow. Ends on the page to which the provider redirects. */
  async signInWith(provider: 'GitLab' | 'GitHub'): Promise<void> {
    await this.add();
    await this.page.getByRole('radio', { name: provider }).click();
    await this.page.getByRole('button', { name: `Continue with ${provider}` }).click();
  }

  async connectByToken({ provider, address, token }: Token): Promise<void> {
    await this.add();
    await this.page.getByRole('radio', { name: provider }).click();
    const instead = this.page.getByRole('button', { name: 'Use a token instead' });
    if (await instead.isVisible()) await instead.click();
    await this.page.getByLabel('Server URL').fill(address);
    await this.page.getByLabel('Personal access token').fill(token);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).click();
  }

  async connectRegistry({ host, username, password }: Registry): Promise<void> {
    await this.add();
    await this.page.getByRole('tab', { name: 'Container registry' }).click();
    await this.page.getByRole('radio', { name: 'Other registry' }).click();
    await this.page.getByLabel('Registry host').fill(host);
    await this.page.getByLabel('Username').fill(username);
    await this.page.getByLabel('Password or access token').fill(password);
    await this.page.getByRole('button', { name: 'Connect', exact: true }).click();
  }

  async remove(account: string): Promise<void> {
    await this.page.getByRole('button', { name: `Remove ${account}`, exact: true }).click();
    const dialog = this.page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: /^Remove/ }).click();
  }

  private async add(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add New Integration' }).first().click();
  }
}
