import { describe, expect, it } from 'vitest';
import { tokenPageOf } from './code-hosts.ts';

describe('the page to create a token', () => {
  it.each([
    ['gitlab', 'https://gitlab.com', 'https://gitlab.com/-/user_settings/personal_access_tokens'],
    ['github', 'https://github.com/', 'https://github.com/settings/tokens/new'],
    [
      'gitea',
      ' https://git.home:3000/git/ ',
      'https://git.home:3000/git/user/settings/applications',
    ],
    ['gitea', '', undefined],
    ['gitea', 'git.home', undefined],
    ['gitea', 'javascript:alert(1)', undefined],
    ['gitea', 'https://', undefined],
  ] as const)('of %s at %j is %s', (provider, url, page) => {
    expect(tokenPageOf(provider, url)).toBe(page);
  });
});
