import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigProblem } from './config-values.ts';
import { configHelp, VARIABLES } from './config-variables.ts';

describe('readConfig', () => {
  it('has a default for every variable', () => {
    expect(readConfig({}, '/srv')).toMatchObject({
      host: '127.0.0.1',
      port: 1337,
      publicUrl: 'http://localhost:1337',
      dataDir: '/srv/.longshore',
      databaseUrl: undefined,
      ingressPort: 8080,
      allowLocalSources: false,
    });
  });

  it('derives the default public URL from the port', () => {
    expect(readConfig({ LONGSHORE_PORT: '4000' }, '/').publicUrl).toBe('http://localhost:4000');
  });

  it.each([
    ['LONGSHORE_PORT', 'eighty'],
    ['LONGSHORE_PORT', '0'],
    ['LONGSHORE_PORT', '65536'],
    ['LONGSHORE_INGRESS_PORT', '1337'],
    ['LONGSHORE_INGRESS_PORT', '-1'],
    ['LONGSHORE_PUBLIC_URL', 'longshore.example.com'],
    ['LONGSHORE_PUBLIC_URL', 'ftp://example.com'],
    ['DATABASE_URL', 'mysql://root:hunter2@db'],
    ['LONGSHORE_ENGINE', 'podman'],
    ['LONGSHORE_BASE_DOMAIN', 'Not A Host'],
    ['LONGSHORE_TRUSTED_PROXY', 'proxy.example.com'],
    ['LONGSHORE_TRUSTED_PROXY', '10.0.0.1,10.0.0.0/33'],
    ['LONGSHORE_TRUSTED_PROXY', 'fd00::/'],
    ['LONGSHORE_NETWORK', '8.8.0.0/16'],
    ['LONGSHORE_ALLOWED_NETWORKS', 'lan'],
    ['LONGSHORE_PASSWORD_MIN_LENGTH', '2'],
    ['LONGSHORE_ACCESS_TOKEN_TTL', '1'],
    ['LONGSHORE_ALLOW_LOCAL_SOURCES', 'yes'],
    ['LONGSHORE_LOG_FORMAT', 'pretty'],
    ['LONGSHORE_LOG_LEVEL', 'loud'],
    ['LONGSHORE_PUBLIC_IP', 'example.com'],
    ['LONGSHORE_DOCS_URL', 'javascript:alert(1)'],
    ['LONGSHORE_DOCS_URL', '//example.com'],
    ['LONGSHORE_DOCS_URL', 'docs'],
    ['LONGSHORE_ADMIN_SECRET', 'too short'],
    ['LONGSHORE_GITLAB_URL', 'gitlab.example.com'],
    ['LONGSHORE_QUOTA_APPS', '-1'],
    ['LONGSHORE_QUOTA_APPS', '1.5'],
    ['LONGSHORE_QUOTA_CPU', 'all'],
    ['LONGSHORE_QUOTA_MEMORY_MB', '1e9'],
    ['LONGSHORE_QUOTA_DISK_GB', 'Infinity'],
  ])('rejects %s=%s with a message that names the variable', (name, value) => {
    const read = () => readConfig({ [name]: value }, '/');
    expect(read).toThrow(ConfigProblem);
    expect(read).toThrow(new RegExp(`^${name} .+\\.$`));
  });

  it('reads trusted proxies, none by default', () => {
    const { trustedProxies } = readConfig({ LONGSHORE_TRUSTED_PROXY: '10.0.0.1, fd00::/8' }, '/');
    expect(trustedProxies).toEqual(['10.0.0.1', 'fd00::/8']);
    expect(readConfig({}, '/').trustedProxies).toEqual([]);
  });

  it('gives each user half of the machine by default', () => {
    const machine = { cpus: 3, memoryBytes: 8 * 1024 ** 3 };
    expect(readConfig({}, '/', machine).quota).toEqual({
      apps: 20,
      memoryBytes: 4 * 1024 ** 3,
      cpus: 1.5,
      builds: 2,
      diskBytes: 20 * 1024 ** 3,
    });
  });

  it('reads quotas, with 0 for no limit', () => {
    const environment = {
      LONGSHORE_QUOTA_APPS: '3',
      LONGSHORE_QUOTA_MEMORY_MB: '1024',
      LONGSHORE_QUOTA_CPU: '0.5',
      LONGSHORE_QUOTA_BUILDS: '0',
      LONGSHORE_QUOTA_DISK_GB: '0',
    };
    expect(readConfig(environment, '/').quota).toEqual({
      apps: 3,
      memoryBytes: 1024 ** 3,
      cpus: 0.5,
      builds: Number.POSITIVE_INFINITY,
      diskBytes: Number.POSITIVE_INFINITY,
    });
  });

  it('enables a provider when both its client id and secret are set', () => {
    const environment = {
      LONGSHORE_GITLAB_URL: 'https://git.example.com/lab/',
      LONGSHORE_GITLAB_CLIENT_ID: 'longshore',
      LONGSHORE_GITLAB_CLIENT_SECRET: 'hunter2',
    };
    const { providers } = readConfig(environment, '/');
    expect(Object.keys(providers)).toEqual(['gitlab']);
    expect(providers.gitlab).toMatchObject({
      url: 'https://git.example.com/lab',
      clientId: 'longshore',
    });
    expect(providers.gitlab?.clientSecret.reveal()).toBe('hunter2');
    expect(JSON.stringify(providers)).not.toContain('hunter2');
  });

  it.each([
    ['LONGSHORE_GITHUB_CLIENT_ID', 'LONGSHORE_GITHUB_CLIENT_SECRET'],
    ['LONGSHORE_GITHUB_CLIENT_SECRET', 'LONGSHORE_GITHUB_CLIENT_ID'],
    ['LONGSHORE_GOOGLE_CLIENT_ID', 'LONGSHORE_GOOGLE_CLIENT_SECRET'],
  ])('rejects %s alone', (name, missing) => {
    const read = () => readConfig({ [name]: 'hunter2' }, '/');
    expect(read).toThrow(new RegExp(`^${missing} .+\\.$`));
    expect(read).not.toThrow(/hunter2/);
  });

  it('does not repeat the database password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@db' }, '/')).not.toThrow(
      /hunter2/,
    );
  });

  it('lists every variable in --help', () => {
    for (const { name } of VARIABLES) expect(configHelp()).toContain(name);
  });
});
