import { expect, it } from 'vitest';
import { aRepository } from '../../../../test/resources.ts';
import { sshCloneUrl } from './ssh-clone-url.ts';

it.each([
  ['gitlab', 'gitlab.com', '', 'git@gitlab.com:acme/web/shop.git'],
  ['github', 'github.com', '', 'git@github.com:acme/web/shop.git'],
  ['gitlab', undefined, '', 'git@gitlab.com:acme/web/shop.git'],
  ['gitlab', 'git.home:8443', '', 'git@git.home:acme/web/shop.git'],
  [
    'gitlab',
    'gitlab.com',
    'git@elsewhere.com:acme/web/shop.git',
    'git@gitlab.com:acme/web/shop.git',
  ],
  [
    'gitlab',
    'git.home',
    'ssh://git@git.home:2222/acme/web/shop.git',
    'ssh://git@git.home:2222/acme/web/shop.git',
  ],
  ['gitea', 'git.home', 'forgejo@git.home:acme/web/shop.git', 'forgejo@git.home:acme/web/shop.git'],
  ['gitea', 'git.home', '', 'git@git.home:acme/web/shop.git'],
] as const)(
  'a repository of %s at %s that says %j is cloned from %s',
  (provider, host, sshUrl, url) => {
    const repository = aRepository({ full_name: 'acme/web/shop', sshUrl });
    expect(sshCloneUrl({ provider, ...(host && { host }) }, repository)).toBe(url);
  },
);
