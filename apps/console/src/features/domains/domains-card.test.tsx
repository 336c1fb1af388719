import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { aCertificate, aDomain, anApp, aProject } from '../../../test/resources.ts';

const shop = aProject();
const verified = { state: 'proved', proof: 'txt', pointsHere: true } as const;
const publicAccess = { enabled: true, domain: 'auto', baseDomain: 'localhost' };

function openApp(...domains: Parameters<typeof aDomain>[0][]) {
  return openAppWith({}, ...domains);
}

function openAppWith(ingress: { httpsPort?: number }, ...domains: Parameters<typeof aDomain>[0][]) {
  const statuses = domains.map(aDomain);
  const names = statuses.map(({ domain }) => domain);
  const access = { ...publicAccess, ...(names.length > 0 && { domains: names }) };
  const fake = createFakeClient({ resources: [shop, anApp({ publicAccess: access })] });
  fake.domains.domains = statuses;
  Object.assign(fake.environment.config.ingress, ingress);
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${anApp().id}/domains`, fake);
  return { fake, user };
}

const card = () => screen.findByRole('region', { name: 'Domains' });
const item = async (domain = 'shop.example.com') =>
  within(await screen.findByRole('listitem', { name: domain }));

describe('the domains card', () => {
  it('shows the records to create with copy buttons, and what DNS answers', async () => {
    const { user } = openApp({ answers: { txt: ['x'], cname: [], addresses: undefined } });
    const domain = await item();
    expect(domain.getByText('_longshore.shop.example.com')).toBeTruthy();
    expect(domain.getByText('longshore-0123456789abcdef')).toBeTruthy();
    for (const found of ['x', 'No record', 'No answer']) {
      expect(domain.getByText(found)).toBeTruthy();
    }
    expect(domain.getByText(/Checked/)).toBeTruthy();
    const copy = 'Copy value of the TXT record of shop.example.com';
    await user.click(domain.getByRole('button', { name: copy }));
    expect(await navigator.clipboard.readText()).toBe('longshore-0123456789abcdef');
  });

  it('checks on demand and shows the result, or why it was not checked', async () => {
    const { fake, user } = openApp({});
    const verified = aDomain({ state: 'proved', proof: 'txt', pointsHere: true });
    fake.domainChecks.push([verified]);
    const check = { name: 'Check shop.example.com again' };
    await user.click((await item()).getByRole('button', check));
    expect(await screen.findByText('Verified')).toBeTruthy();
    const link = (await item()).getByRole('link');
    expect(link.getAttribute('href')).toBe('http://shop.example.com:8080');
    await user.click((await item()).getByRole('button', check));
    expect(await screen.findByText('Too many checks. Retry in 9 s')).toBeTruthy();
  });

  it('shows a failed certificate with what to fix, and tries again', async () => {
    const failure = { code: 'unreachable' as const, detail: '203.0.113.7: ECONNREFUSED' };
    const { fake, user } = openApp({
      ...verified,
      certificate: aCertificate({ state: 'failed', failure, nextTryAt: '2026-03-01T10:00:00Z' }),
    });
    const domain = await item();
    expect(domain.getByText('Certificate failed')).toBeTruthy();
    expect(domain.getByText(/Nothing answers at port 80 of shop.example.com/)).toBeTruthy();
    expect(domain.getByText(/Open port 80/)).toBeTruthy();
    expect(domain.getByText(/^Next try: (Feb 28|Mar 1), 2026/)).toBeTruthy();
    expect(domain.getByRole('link').getAttribute('href')).toBe('http://shop.example.com:8080');
    const retry = 'Try again to get the certificate of shop.example.com';
    await user.click(domain.getByRole('button', { name: retry }));
    await waitFor(() => expect(fake.retriedCertificates).toEqual(['shop.example.com']));
  });

  it('tries again to get the certificate of the generated address', async () => {
    const { fake, user } = openApp();
    const { generatedHost } = fake.domains;
    const failure = { code: 'no-address' as const, detail: '' };
    fake.domains.generatedCertificate = aCertificate({ state: 'failed', failure });
    const domain = await item(generatedHost);
    expect(domain.getByText('The operator of this server has to fix this.')).toBeTruthy();
    const retry = `Try again to get the certificate of ${generatedHost}`;
    await user.click(domain.getByRole('button', { name: retry }));
    await waitFor(() => expect(fake.retriedCertificates).toEqual([generatedHost]));
  });

  it('links to the app by https when there is a certificate', async () => {
    openAppWith(
      { httpsPort: 443 },
      {
        ...verified,
        certificate: aCertificate({
          validUntil: '2026-05-30T12:00:00Z',
          renewsAt: '2026-04-30T12:00:00Z',
        }),
      },
    );
    const domain = await item();
    expect(domain.getByText(/valid until May 30, 2026, renews on April 30, 2026/)).toBeTruthy();
    expect(domain.getByRole('link').getAttribute('href')).toBe('https://shop.example.com');
  });

  it('adds a domain in place', async () => {
    const { fake, user } = openApp();
    const form = within(await card());
    await user.type(form.getByLabelText('Add a domain'), 'not a domain{Enter}');
    expect(await form.findByText('Custom domain must look like app.example.com')).toBeTruthy();
    expect(fake.sent).toEqual([]);
    await user.clear(form.getByLabelText('Add a domain'));
    await user.type(form.getByLabelText('Add a domain'), 'WWW.Example.com');
    await user.click(form.getByRole('button', { name: 'Add domain' }));
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(fake.sent[0]?.values.publicAccess).toEqual({
      ...publicAccess,
      domains: ['www.example.com'],
    });
  });

  it('keeps what was entered when the server refuses it, and says why', async () => {
    const { fake, user } = openApp();
    const form = within(await card());
    fake.failRequests(
      'values.publicAccess.domains: Your app blog already uses www.example.com. Remove it there first',
    );
    await user.type(form.getByLabelText('Add a domain'), 'www.example.com{Enter}');
    expect(await form.findByText(/^Your app blog already uses/)).toBeTruthy();
    expect(form.getByLabelText('Add a domain')).toHaveProperty('value', 'www.example.com');
  });

  it('removes a domain after a confirmation that says what it causes', async () => {
    const { fake, user } = openApp({ domain: 'a.example.com' }, { domain: 'b.example.com' });
    await user.click(
      (await item('b.example.com')).getByRole('button', { name: 'Remove b.example.com' }),
    );
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/not restarted or rebuilt/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Remove domain' }));
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(fake.sent[0]?.values.publicAccess.domains).toEqual(['a.example.com']);
  });

  it('lists domains with a problem first, and the generated address last', async () => {
    openApp({ domain: 'a.example.com', ...verified }, { domain: 'b.example.com' });
    await item('b.example.com');
    const names = screen.getAllByRole('listitem').map((entry) => entry.getAttribute('aria-label'));
    const generated = 'shop-0123456789ab.localhost';
    expect(names.filter(Boolean)).toEqual(['b.example.com', 'a.example.com', generated]);
    const address = await item(generated);
    expect(address.getByText('Generated')).toBeTruthy();
    expect(address.getByRole('button', { name: `Copy URL of ${generated}` })).toBeTruthy();
    expect(address.queryByRole('button', { name: /^Remove/ })).toBeNull();
    expect(screen.getByText('1 needs your attention')).toBeTruthy();
  });

  it('says so while the app is not public', async () => {
    const hidden = anApp({ publicAccess: { ...publicAccess, enabled: false } });
    const fake = createFakeClient({ resources: [shop, hidden] });
    openConsole(`/dashboard/projects/${shop.id}/apps/${hidden.id}/domains`, fake);
    expect(await screen.findByText('This app is not public')).toBeTruthy();
    expect(screen.queryByLabelText('Add a domain')).toBeNull();
  });
});
