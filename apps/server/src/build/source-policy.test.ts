import { describe, expect, it } from 'vitest';
import { isPrivateAddress } from '../outbound/private-address.ts';
import { parseGitAddress, withoutUserInfo } from './git-address.ts';
import { gitFetch } from './git-command.ts';
import { checkSourceAllowed } from './source-policy.ts';

const { signal } = new AbortController();

describe('an address', () => {
  it.each([
    ['https://github.com/a/b.git', { kind: 'https', host: 'github.com', port: 443 }],
    ['https://host:8443/a', { kind: 'https', host: 'host', port: 8443 }],
    ['https://[2001:4860::1]/a', { kind: 'https', host: '2001:4860::1', port: 443 }],
    ['git@github.com:a/b.git', { kind: 'ssh', host: 'github.com', port: 22 }],
    ['ssh://git@host/a', { kind: 'ssh', host: 'host', port: 22 }],
    ['ssh://git@host:2222/a', { kind: 'ssh', host: 'host', port: 2222 }],
    ['file:///tmp/a%20b', { kind: 'file', path: '/tmp/a b' }],
    ['ext::sh -c id', undefined],
    ['ftp://host/a', undefined],
    ['-oProxyCommand=id@host:a', undefined],
    ['ssh://-oProxyCommand=id/a', undefined],
    ['file://host/share', undefined],
    ['not a url', undefined],
  ])('%s is %o', (url, address) => {
    expect(parseGitAddress(url)).toEqual(address);
  });
});

describe('a private address', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    'nonsense',
  ])('is %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '140.82.121.4', '172.32.0.1', '2606:50c0:8000::153', '2a00:1450::1'])(
    'is not %s',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});

describe('checkSourceAllowed', () => {
  const deps = { allowLocalSources: false, dataDir: '/nowhere' };

  it('refuses a host if any of its addresses is private', async () => {
    const resolve = async () => ['140.82.121.4', '127.0.0.1'];
    await expect(
      checkSourceAllowed('https://rebind.example/a', { ...deps, resolve }, signal),
    ).rejects.toMatchObject({ reason: 'source-not-allowed' });
  });

  it('refuses a URL that git would parse differently', async () => {
    const resolve = async () => ['140.82.121.4'];
    await expect(
      checkSourceAllowed('https://example.com\\@127.0.0.1/a', { ...deps, resolve }, signal),
    ).rejects.toMatchObject({ reason: 'source-not-allowed' });
  });

  it('distinguishes an unknown host from a forbidden one', async () => {
    const resolve = async () => Promise.reject(new Error('ENOTFOUND'));
    await expect(
      checkSourceAllowed('https://nowhere.example/a', { ...deps, resolve }, signal),
    ).rejects.toMatchObject({ reason: 'repository-unreachable' });
  });

  it('restricts git to the checked addresses and public protocols', async () => {
    const resolve = async () => ['140.82.121.4'];
    const source = await checkSourceAllowed('https://host.example/a', { ...deps, resolve }, signal);
    const argv = gitFetch({ ...source, isPrivate: false }, 'main');
    expect(argv).toContain('http.curloptResolve=host.example:443:140.82.121.4');
    expect(argv).toContain('protocol.allow=never');
    expect(argv).not.toContain('protocol.file.allow=always');
    expect(argv.slice(-3)).toEqual(['--', 'https://host.example/a', 'main']);
  });

  it('removes the user info of a URL', async () => {
    const resolve = async () => ['10.0.0.1'];
    const failure = await checkSourceAllowed(
      'https://token@host.example/a',
      { ...deps, resolve },
      signal,
    ).catch((error: Error) => error.message);
    expect(failure).not.toContain('token');
    expect(withoutUserInfo("unable to access 'https://user:pass@host/a'")).toBe(
      "unable to access 'https://host/a'",
    );
  });
});
