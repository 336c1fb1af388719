import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sourceRefProblem, sourceUrlProblem } from './source.ts';

const STRICT = { allowLocalSources: false };
const LOCAL = { allowLocalSources: true };

const REQUIRED = 'Source URL is required';
const INVALID = 'Source URL is not valid';
const PROTOCOL = 'Source URL must start with https:// or ssh://';
const PASSWORD = 'Source URL must not contain a password';
const REF = 'Source ref must be a branch, a tag or a commit';

describe('sourceUrlProblem', () => {
  it.each([
    'https://github.com/acme/shop',
    'https://github.com/acme/shop.git',
    'https://github.com/acme/shop/',
    'https://ada@bitbucket.org/acme/shop.git',
    'https://gitlab.com/group/sub/sub/shop.git',
    'https://git.example.com:8443/acme/shop.git',
    'https://dev.azure.com/acme/My%20Project/_git/shop',
    'https://git.sr.ht/~ada/shop',
    'https://203.0.113.7/shop.git',
    'https://[2001:db8::7]:8443/shop.git',
    'git@github.com:acme/shop.git',
    'git@gitlab.com:group/sub/shop.git',
    'git@git.example.com:/srv/git/shop.git',
    'git@git.example.com:~ada/shop.git',
    'ada.lovelace@git.example.com:shop',
    'git@ssh.dev.azure.com:v3/acme/project/shop',
    'ssh://git@github.com/acme/shop.git',
    'ssh://git@git.example.com:2222/group/sub/shop.git',
    'ssh://git.example.com/~ada/shop',
    'ssh://APKAEXAMPLE@git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop',
  ])('accepts %s', (url) => {
    expect(sourceUrlProblem(url, STRICT)).toBeUndefined();
  });

  it.each(['', ' ', '\n\t'])('requires a URL when it is %j', (url) => {
    expect(sourceUrlProblem(url, STRICT)).toBe(REQUIRED);
  });

  it.each([
    ['an option', '--upload-pack=reboot', PROTOCOL],
    ['a short option', '-u', PROTOCOL],
    ['a remote helper that runs programs', 'ext::sh', PROTOCOL],
    ['a remote helper with spaces', 'ext::sh -c reboot% >&2', INVALID],
    ['a remote helper for file descriptors', 'fd::7', PROTOCOL],
    ['a remote helper before a URL', 'ext::https://github.com/acme/shop', PROTOCOL],
    ['the git protocol', 'git://github.com/acme/shop.git', PROTOCOL],
    ['ftp', 'ftp://example.com/shop.git', PROTOCOL],
    ['a script', 'javascript:alert(1)', PROTOCOL],
    ['a path', '/etc', PROTOCOL],
    ['a path upwards', '../../etc', PROTOCOL],
    ['a path of the home folder', '~/shop', PROTOCOL],
    ['a name', 'acme/shop', PROTOCOL],
    ['a host without a user', 'github.com:acme/shop.git', PROTOCOL],
    ['uppercase https, which git does not support', 'HTTPS://github.com/acme/shop', PROTOCOL],
    ['https without slashes, which git reads as a host', 'https:github.com/acme/shop', PROTOCOL],
    ['ssh without slashes, which git reads as a host', 'ssh:acme/shop', PROTOCOL],
    ['backslashes for slashes', 'https:\\\\github.com\\acme', PROTOCOL],
    ['a host behind a backslash', 'https://example.com\\@127.0.0.1/shop', INVALID],
    ['a host behind two at signs', 'https://a@example.com@127.0.0.1/shop', INVALID],
    ['no host', 'https://', INVALID],
    ['no host over ssh', 'ssh:///acme/shop', INVALID],
    ['no path', 'https://github.com', INVALID],
    ['a host that is an option', 'ssh://-oProxyCommand=reboot/shop', INVALID],
    ['a host that hides an option', 'ssh://%2DoProxyCommand=reboot/shop', INVALID],
    ['a user that is an option', 'ssh://-oProxyCommand=reboot@example.com/shop', INVALID],
    ['an scp user that is an option', '-x@example.com:shop', PROTOCOL],
    ['an scp host that is an option', 'git@-x:shop', PROTOCOL],
    ['an scp path that is an option', 'git@example.com:-x', PROTOCOL],
    ['an scp helper', 'git@example.com://shop', PROTOCOL],
    ['a port that is not a number', 'https://example.com:port/shop', INVALID],
    ['a password', 'https://ada:secret@github.com/acme/shop', PASSWORD],
    ['a password without a user', 'https://:secret@github.com/acme/shop', PASSWORD],
    ['a password over ssh', 'ssh://git:secret@github.com/acme/shop', PASSWORD],
    ['a password in the scp form', 'git:secret@github.com:acme/shop', PROTOCOL],
    ['a space', 'https://github.com/acme/my shop', INVALID],
    ['a space before it', ' https://github.com/acme/shop', INVALID],
    ['a space in the scp form', 'git@github.com:acme/my shop', INVALID],
    ['a new line', 'https://github.com/acme/shop\n--upload-pack=reboot', INVALID],
    ['a carriage return', 'https://github.com/acme/shop\r', INVALID],
    ['a null character', 'https://github.com/acme/shop\0.git', INVALID],
    ['an escape', 'https://github.com/acme/\u001b[2Jshop', INVALID],
    ['a no-break space', 'https://github.com/\u00a0acme', INVALID],
    ['an invisible character', 'https://github.com/ac\u200bme/shop', INVALID],
    ['a right-to-left override', 'git@github.com:acme/\u202etig.pohs', INVALID],
    ['an unpaired surrogate', 'https://github.com/\ud83d/shop', INVALID],
    ['a host of look-alike letters', 'https://gіthub.com/acme/shop', INVALID],
    ['more than 2000 characters', `https://github.com/${'a'.repeat(2_000)}`, INVALID],
  ])('rejects %s', (_what, url, message) => {
    expect(sourceUrlProblem(url, STRICT)).toBe(message);
    expect(sourceUrlProblem(url, LOCAL)).toBe(message);
  });

  it.each([
    ['file', 'file:///srv/git/shop.git'],
    ['http', 'http://git.example.com/shop.git'],
    ['http', 'http://127.0.0.1:3000/shop.git'],
  ])('accepts %s:// only where the operator allows it: %s', (protocol, url) => {
    expect(sourceUrlProblem(url, LOCAL)).toBeUndefined();
    expect(sourceUrlProblem(url, STRICT)).toBe(
      `Source URL must start with https:// or ssh://; ${protocol}:// must be enabled by the operator`,
    );
  });

  it.each(['file:/srv/git', 'file:srv', 'http:example.com/shop', 'FILE:///srv/git'])(
    'rejects %s even where local sources are allowed',
    (url) => {
      expect(sourceUrlProblem(url, LOCAL)).toBe(PROTOCOL);
    },
  );

  it('rejects a file on another host even where local sources are allowed', () => {
    expect(sourceUrlProblem('file://example.com/srv/git', LOCAL)).toBe(INVALID);
  });

  it('accepts only URLs without spaces that git reads neither as an option nor as a remote helper', () => {
    const piece = fc.constantFrom(
      ...['https', 'ssh', 'ext', 'git', ':', '::', '/', '//', '://', '@', '-', '.', '..', '\\'],
      ...['#', '?', '%2d', 'host', 'example.com', '[::1]', '80', ' ', '\n', 'é'],
    );
    const pieces = fc.array(piece, { maxLength: 12 }).map((each) => each.join(''));
    fc.assert(
      fc.property(fc.oneof(pieces, fc.webUrl(), fc.string({ unit: 'binary' })), (url) => {
        fc.pre(sourceUrlProblem(url, STRICT) === undefined);
        expect(url).toMatch(/^\w\S*$/);
        expect(url).not.toMatch(/^[A-Za-z0-9.+-]*::/);
        const authority = /^(?:https|ssh):\/\/([^/]*)\//.exec(url)?.[1];
        if (authority !== undefined) expect(new URL(url).host).toBe(hostIn(url, authority));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('sourceRefProblem', () => {
  it.each([
    'main',
    'HEAD',
    'v1.2.3',
    'release/2025.01',
    'refs/heads/main',
    'feature/JIRA-123_thing',
    'fix/#42',
    'dependabot/npm_and_yarn/lodash-4.17.21',
    'shop@1.0.0',
    '@acme/shop@1.0.0',
    '_next',
    '1.0.0+build.5',
    'a=b,c',
    'übung',
    'ветка',
    '機能/検索',
    'हिन्दी',
    '3f2a91c',
    '3f2a91c47b0e4d539a610c2f8e5d1b7700112233',
    'a'.repeat(200),
  ])('accepts %s', (ref) => {
    expect(sourceRefProblem(ref)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '-',
    '-b',
    '--upload-pack=reboot',
    '+main',
    '^main',
    '/main',
    'main/',
    'a//b',
    '.main',
    'a/.b',
    'main.',
    'main..dev',
    '../main',
    'main.lock',
    'a.lock/b',
    '@',
    'main@{1}',
    'main:dev',
    'main~1',
    'main^',
    'main*',
    'main?',
    'main[1]',
    'main\\dev',
    'my branch',
    'main ',
    'main\n',
    'main\0',
    'main\u007f',
    'ma\u200bin',
    'main;reboot',
    '$(reboot)',
    '`reboot`',
    'main|reboot',
    'a'.repeat(201),
  ])('rejects %j', (ref) => {
    expect(sourceRefProblem(ref)).toBe(REF);
  });

  it('accepts only what git reads as one ref name and not as an option', () => {
    const ref = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a-z@_./+^:-]{1,12}$/),
      fc.stringMatching(/^[a-z./]{1,4}(?:\.lock)?[a-z./]{0,4}$/),
    );
    fc.assert(
      fc.property(ref, (candidate) => {
        fc.pre(sourceRefProblem(candidate) === undefined);
        expect(candidate).not.toMatch(
          /^[-+/.]|[/.]$|\.\.|\/[/.]|\.lock(?:\/|$)|[\s~^:?*[\\]|@\{|^@$/,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The host of an authority as git and curl read it: after the last at sign. */
function hostIn(url: string, authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return new URL(`${url.slice(0, url.indexOf('//'))}//${host}/`).host;
}
