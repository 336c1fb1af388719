import { symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findSiteFolder, MISSING_SITE_EXIT_CODE, missingSite } from './site-folder.ts';

/*
 * Ends the build of an image with a static site. It runs as a separate program from a copy of this file. Arguments: the possible
 * folders of the site, separated by commas; the link to create to the one that has pages.
 */
const [folders = '.', link = 'site'] = process.argv.slice(2);
const names = folders.split(',');
const folder = await findSiteFolder('.', names);
if (folder === undefined) {
  process.stderr.write(`${(await missingSite('.', names)).join('\n')}\n`);
  process.exitCode = MISSING_SITE_EXIT_CODE;
} else {
  await symlink(resolve(folder), link);
}
