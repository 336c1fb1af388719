import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDnsServer } from '@longshore/server/testing/dns-server';
import { type GitHost, startGitHost } from '@longshore/server/testing/git-host';
import { startGitlabHost } from '@longshore/testkit/git-hosts';
import { expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT, startLongshore } from '../support/longshore.ts';
import { CRASHING } from '../support/sample-apps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { animate } from './animate.ts';
import { createCamera, createReel, openWindow } from './camera.ts';
import { fillAccount } from './fill-account.ts';
import { takePictures } from './guide-pictures.ts';
import { SHOP_APP } from './shop-app.ts';

const camera = createCamera(join(ROOT, 'docs/guide/pictures'));
const TOUR = join(ROOT, 'docs/pictures/tour.gif');

/** Takes every picture of the guide and the README from a running Longshore. */
it('takes the pictures', async () => {
  const folder = await temporaryFolder();
  const gitlab = await startGitlabHost();
  const git = await startGitHost({ mayRead: () => true });
  const dns = await startDnsServer();
  const longshore = await startLongshore({
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
    env: { LONGSHORE_DNS_SERVERS: dns.address },
  });
  const browser = await launchBrowser();
  try {
    const shop = await publish(git, 'harbour/shop', SHOP_APP);
    const broken = await publish(git, 'harbour/mailer', CRASHING);
    const page = await openWindow(browser, 'light');
    const reel = createReel(page);
    const urls = await fillAccount(page, reel, { url: longshore.url, shop, broken, gitlab });
    await writeFile(TOUR, animate(reel.frames));
    const storage = await page.context().storageState();
    for (const theme of ['light', 'dark'] as const) {
      const themedPage = await openWindow(browser, theme, storage);
      await takePictures(themedPage, (name) => camera(themedPage, name, theme), urls);
      await themedPage.context().close();
    }
  } finally {
    await browser.close();
    expect(await longshore.stop()).toBe(0);
    await gitlab.close();
    await git.stop();
    await dns.close();
    await folder.remove();
  }
});

/** Returns a URL with `localhost`, which is clearer in a picture than an IP address. */
async function publish(git: GitHost, name: string, files: Record<string, string>): Promise<string> {
  await git.push(name, files);
  return git.httpUrl(name).replace(git.ip, 'localhost');
}
