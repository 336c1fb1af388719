import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capacityProblem, DEFAULT_TIERS, offeredTiers } from '@longshore/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigProblem } from './config-values.ts';
import { configHelp, VARIABLES } from './config-variables.ts';

describe('readConfig', () => {
  it('has a default for every variable', () => {
    expect(readConfig({}, '/srv')).toMatchObject({
      host: '127.0.0.1',
      port: 1337,
      publicUrl: 'http://localhost:1337',
      consoleHost: undefined,
      hsts: false,
      edgeHost: '127.0.0.1',
      dataDir: '/srv/.longshore',
      databaseUrl: undefined,
      ingressPort: 8080,
      allowLocalSources: false,
    });
  });

  it('reads a list of name servers, each with an optional port', () => {
    const servers = '9.9.9.9, 10.0.0.2:5353 ,fd00::2,[fd00::2]:53,,';
    expect(readConfig({ LONGSHORE_DNS_SERVERS: servers }, '/').dnsServers).toEqual([
      '9.9.9.9',
      '10.0.0.2:5353',
      'fd00::2',
      '[fd00::2]:53',
    ]);
    expect(readConfig({}, '/').dnsServers).toEqual([]);
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
    ['LONGSHORE_HTTPS_PORT', '1337'],
    ['LONGSHORE_HTTPS_PORT', '8080'],
    ['LONGSHORE_HTTPS_PORT', '65536'],
    ['LONGSHORE_PROXY_PROTOCOL', 'v2'],
    ['LONGSHORE_PROXY_PROTOCOL', 'true'],
    ['LONGSHORE_EDGE', 'systemd'],
    ['LONGSHORE_EDGE_ADDRESS', 'edge.example.internal'],
    ['LONGSHORE_EDGE_ADDRESS', 'https://edge.example.internal:7443'],
    ['LONGSHORE_EDGE_ADDRESS', 'edge.example.internal:65536'],
    ['LONGSHORE_ACME_EMAIL', 'ops'],
    ['LONGSHORE_ACME_EMAIL', 'ops@example.com,eve@example.com'],
    ['LONGSHORE_ACME_EAB_KID', 'kid-1'],
    ['LONGSHORE_ACME_EAB_HMAC', 'key'],
    ['LONGSHORE_ACME_CA_FILE', '/ca.pem'],
    ['LONGSHORE_EDGE_TRUSTED_PROXY', '192.0.2.1'],
    ['LONGSHORE_TRUSTED_PROXY', 'proxy.example.com'],
    ['LONGSHORE_TRUSTED_PROXY', '10.0.0.1,10.0.0.0/33'],
    ['LONGSHORE_TRUSTED_PROXY', 'fd00::/'],
    ['LONGSHORE_NETWORK', '8.8.0.0/16'],
    ['LONGSHORE_ALLOWED_NETWORKS', 'lan'],
    ['LONGSHORE_KUBE_NAMESPACE_PREFIX', 'Apps'],
    ['LONGSHORE_KUBE_NAMESPACE_PREFIX', 'apps-'],
    ['LONGSHORE_KUBE_NAMESPACE_PREFIX', 'kube'],
    ['LONGSHORE_KUBE_NAMESPACE_PREFIX', 'apps-build'],
    ['LONGSHORE_KUBE_NAMESPACE_PREFIX', 'a-prefix-that-is-too-long'],
    ['LONGSHORE_PASSWORD_MIN_LENGTH', '2'],
    ['LONGSHORE_ACCESS_TOKEN_TTL', '1'],
    ['LONGSHORE_ALLOW_LOCAL_SOURCES', 'yes'],
    ['LONGSHORE_LOG_FORMAT', 'pretty'],
    ['LONGSHORE_LOG_LEVEL', 'loud'],
    ['LONGSHORE_PUBLIC_IP', 'example.com'],
    ['LONGSHORE_DNS_SERVERS', 'dns.example.com'],
    ['LONGSHORE_DNS_SERVERS', '9.9.9.9,10.0.0.2:0'],
    ['LONGSHORE_DNS_SERVERS', '9.9.9.9:65536'],
    ['LONGSHORE_DNS_SERVERS', '9.9.9.9:'],
    ['LONGSHORE_DNS_SERVERS', '[9.9.9.9]:53'],
    ['LONGSHORE_DNS_SERVERS', 'https://9.9.9.9/dns-query'],
    ['LONGSHORE_DOCS_URL', 'javascript:alert(1)'],
    ['LONGSHORE_DOCS_URL', '//example.com'],
    ['LONGSHORE_DOCS_URL', 'docs'],
    ['LONGSHORE_ADMIN_SECRET', 'too short'],
    ['LONGSHORE_METRICS_TOKEN', 'too short'],
    ['LONGSHORE_GITLAB_URL', 'gitlab.example.com'],
    ['LONGSHORE_QUOTA_APPS', '-1'],
    ['LONGSHORE_QUOTA_APPS', '1.5'],
    ['LONGSHORE_QUOTA_CPU', 'all'],
    ['LONGSHORE_QUOTA_MEMORY_MB', '1e9'],
    ['LONGSHORE_QUOTA_DISK_GB', 'Infinity'],
    ['LONGSHORE_BUILDER_IMAGE', 'moby/buildkit rootless'],
    ['LONGSHORE_REGISTRY', 'https://registry.example.com/team'],
    ['LONGSHORE_REGISTRY', 'team'],
    ['LONGSHORE_REGISTRY', 'registry.example.com/Team'],
    ['LONGSHORE_REGISTRY', 'registry.example.com/team/'],
    ['LONGSHORE_REGISTRY', 'registry.example.com:99999/team'],
    ['LONGSHORE_REGISTRY', 'registry.example.com/team:latest'],
    ['LONGSHORE_REGISTRY', 'ada:hunter2@registry.example.com'],
    ['LONGSHORE_REGISTRY_USERNAME', 'operator'],
    ['LONGSHORE_REGISTRY_PASSWORD', 'hunter2'],
    ['LONGSHORE_REGISTRY_INSECURE', 'yes'],
    ['LONGSHORE_REGISTRY_MIRROR', 'ftp://mirror.example.com'],
    ['LONGSHORE_REGISTRY_MIRROR', 'https://mirror.example.com/v2'],
    ['LONGSHORE_REGISTRY_MIRROR', 'https://mirror.example.com?x'],
    ['LONGSHORE_REGISTRY_MIRROR', 'https://ada:hunter2@mirror.example.com'],
    ['LONGSHORE_REGISTRY_MIRROR', 'mirror.example.com/hub'],
    ['LONGSHORE_REGISTRY_MIRROR', 'localhost:99999'],
    ['LONGSHORE_REGISTRY_MIRROR', 'https://'],
    ['LONGSHORE_REGISTRY_MIRROR', 'a mirror'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'app.example.com'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'https://app.example.com/path'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'https://app.example.com?x'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'https://ada@app.example.com'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'https://*.example.com'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'http://localhost:*'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'https://a.example.com https://b.example.com'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'https://a.example.com, *'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'null'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'file:///tmp/page.html'],
    ['LONGSHORE_ALLOWED_ORIGINS', 'ws://app.example.com'],
  ])('rejects %s=%s with a message that names the variable', (name, value) => {
    const read = () => readConfig({ [name]: value }, '/');
    expect(read).toThrow(ConfigProblem);
    expect(read).toThrow(new RegExp(`^${name} .+\\.$`));
  });

  it.each([
    ['console.example.com', 'example.com', /share cookies with the console/],
    ['console.example.com', 'console.example.com', /share cookies and passkeys/],
    ['example.com', 'apps.example.com', /share cookies and passkeys/],
  ])('refuses a console at %s with apps below %s', (host, baseDomain, message) => {
    const environment = {
      LONGSHORE_PUBLIC_URL: `https://${host}`,
      LONGSHORE_BASE_DOMAIN: baseDomain,
    };
    expect(() => readConfig(environment, '/')).toThrow(message);
  });

  it.each([
    ['the console has its own host', {}, '0.0.0.0'],
    ['there is no HTTPS', { LONGSHORE_HTTPS_PORT: '' }, '127.0.0.1'],
    ['the address is set', { LONGSHORE_HOST: '192.0.2.1' }, '192.0.2.1'],
    ['the console is local', { LONGSHORE_PUBLIC_URL: 'https://localhost' }, '127.0.0.1'],
  ])('lets the edge listen where visitors are, if %s', (_name, changes, edgeHost) => {
    const environment = {
      LONGSHORE_PUBLIC_URL: 'https://console.example.com',
      LONGSHORE_HTTPS_PORT: '443',
      ...changes,
    };
    expect(readConfig(environment, '/').edgeHost).toBe(edgeHost);
  });

  it('serves the console through no edge in another pod', () => {
    const environment = {
      LONGSHORE_PUBLIC_URL: 'https://console.example.com',
      LONGSHORE_EDGE_ADDRESS: 'edge.example.internal:7443',
      LONGSHORE_EDGE_KEY: 'k'.repeat(32),
    };
    const { remoteEdges, consoleHost } = readConfig(environment, '/');
    expect(remoteEdges).toMatchObject({ host: 'edge.example.internal', port: 7443 });
    expect(remoteEdges?.key.reveal()).toBe(environment.LONGSHORE_EDGE_KEY);
    expect(consoleHost).toBeUndefined();
    for (const LONGSHORE_EDGE_KEY of ['', 'too short']) {
      const read = () => readConfig({ ...environment, LONGSHORE_EDGE_KEY }, '/');
      expect(read).toThrow(/^LONGSHORE_EDGE_KEY must have at least 32 characters\.$/);
    }
    const proxied = { LONGSHORE_TRUSTED_PROXY: '10.0.0.1', LONGSHORE_PROXY_PROTOCOL: 'true' };
    expect(() => readConfig({ ...environment, ...proxied }, '/')).toThrow(
      /^LONGSHORE_PROXY_PROTOCOL needs LONGSHORE_EDGE_TRUSTED_PROXY\.$/,
    );
  });

  it('reads the object storage for files, none by default', () => {
    const environment = {
      LONGSHORE_S3_ENDPOINT: 'https://s3.example.com/',
      LONGSHORE_S3_BUCKET: 'harbour',
      LONGSHORE_S3_ACCESS_KEY_ID: 'ada',
      LONGSHORE_S3_SECRET_ACCESS_KEY: 'hunter2',
    };
    expect(readConfig({}, '/').s3).toBeUndefined();
    const { s3 } = readConfig({ ...environment, LONGSHORE_S3_PREFIX: 'one/two/' }, '/');
    expect(s3).toMatchObject({
      endpoint: 'https://s3.example.com',
      bucket: 'harbour',
      region: 'us-east-1',
      accessKeyId: 'ada',
      prefix: 'one/two/',
    });
    expect(s3?.secretAccessKey.reveal()).toBe('hunter2');
    const read = (changes: object) => () => readConfig({ ...environment, ...changes }, '/');
    for (const name of Object.keys(environment)) {
      expect(read({ [name]: '' })).toThrow(new RegExp(`^${name} must be set together with `));
    }
    expect(read({ LONGSHORE_S3_ENDPOINT: 's3.example.com' })).toThrow(/^LONGSHORE_S3_ENDPOINT /);
    expect(read({ LONGSHORE_S3_BUCKET: 'a/b' })).toThrow(/^LONGSHORE_S3_BUCKET must be the name/);
    expect(read({ LONGSHORE_S3_PREFIX: '../x?' })).toThrow(/^LONGSHORE_S3_PREFIX must consist of/);
  });

  describe('with shared state', () => {
    const environment = {
      LONGSHORE_STATE: 'shared',
      LONGSHORE_HOST: '0.0.0.0',
      LONGSHORE_MASTER_KEY: 'm'.repeat(32),
      DATABASE_URL: 'postgres://db.example.internal/longshore',
      LONGSHORE_ENGINE: 'kubernetes',
      LONGSHORE_EDGE_ADDRESS: 'edge.example.internal:7443',
      LONGSHORE_EDGE_KEY: 'k'.repeat(32),
      LONGSHORE_S3_ENDPOINT: 'https://s3.example.com/',
      LONGSHORE_S3_BUCKET: 'harbour',
      LONGSHORE_S3_ACCESS_KEY_ID: 'ada',
      LONGSHORE_S3_SECRET_ACCESS_KEY: 'hunter2',
    };
    const read = (changes: object) => () => readConfig({ ...environment, ...changes }, '/');

    it('reads the key and the address, and is local by default', () => {
      const { state, masterKey, replicaAddress } = read({
        LONGSHORE_REPLICA_ADDRESS: '[fd00::7]:1337',
      })();
      expect(state).toBe('shared');
      expect(masterKey?.reveal()).toBe(environment.LONGSHORE_MASTER_KEY);
      expect(replicaAddress).toBe('[fd00::7]:1337');
      expect(readConfig({}, '/').state).toBe('local');
    });

    it.each([
      ['a database', { DATABASE_URL: '' }, 'shared needs DATABASE_URL.'],
      ['a key', { LONGSHORE_MASTER_KEY: '' }, 'shared needs LONGSHORE_MASTER_KEY.'],
      ['an address for others', { LONGSHORE_HOST: '' }, 'shared needs LONGSHORE_HOST=0.0.0.0.'],
      ['a cluster', { LONGSHORE_ENGINE: 'docker' }, 'shared needs LONGSHORE_ENGINE=kubernetes.'],
      [
        'several things',
        { DATABASE_URL: '', LONGSHORE_EDGE_ADDRESS: '', LONGSHORE_EDGE_KEY: '' },
        'shared needs DATABASE_URL, LONGSHORE_EDGE_ADDRESS.',
      ],
    ])('names %s that is missing', (_name, changes, problem) => {
      expect(read(changes)).toThrow(`LONGSHORE_STATE ${problem}`);
    });

    it('refuses a short key, an address without a port, and a key without shared state', () => {
      expect(read({ LONGSHORE_MASTER_KEY: 'short' })).toThrow(
        /^LONGSHORE_MASTER_KEY must have at least 32 characters\.$/,
      );
      expect(read({ LONGSHORE_REPLICA_ADDRESS: '192.0.2.7' })).toThrow(
        /^LONGSHORE_REPLICA_ADDRESS must be a host and a port/,
      );
      expect(read({ LONGSHORE_REPLICA_ADDRESS: 'server.example.internal:1337' })).toThrow(
        /^LONGSHORE_REPLICA_ADDRESS must be an IP address and a port/,
      );
      expect(read({ LONGSHORE_STATE: 'local' })).toThrow(
        /^LONGSHORE_MASTER_KEY needs LONGSHORE_STATE=shared\.$/,
      );
    });
  });

  it('reads trusted proxies, none by default', () => {
    const { trustedProxies } = readConfig({ LONGSHORE_TRUSTED_PROXY: '10.0.0.1, fd00::/8' }, '/');
    expect(trustedProxies).toEqual(['10.0.0.1', 'fd00::/8']);
    expect(readConfig({}, '/').trustedProxies).toEqual([]);
  });

  it('has no HTTPS port by default, and PROXY protocol only from trusted proxies', () => {
    expect(readConfig({}, '/')).toMatchObject({ httpsPort: undefined, proxyProtocol: false });
    const environment = { LONGSHORE_TRUSTED_PROXY: '10.0.0.1', LONGSHORE_PROXY_PROTOCOL: 'true' };
    expect(readConfig({ ...environment, LONGSHORE_HTTPS_PORT: '443' }, '/')).toMatchObject({
      httpsPort: 443,
      proxyProtocol: true,
    });
  });

  it('orders certificates only with an email address', () => {
    expect(readConfig({}, '/')).toMatchObject({ acme: undefined, tls: undefined });
    const email = { LONGSHORE_ACME_EMAIL: 'ops@example.com' };
    const { acme } = readConfig(email, '/');
    expect(acme).toEqual({
      email: 'ops@example.com',
      directory: 'https://acme-v02.api.letsencrypt.org/directory',
      binding: undefined,
      caFile: undefined,
    });
    const bound = { LONGSHORE_ACME_EAB_KID: 'kid-1', LONGSHORE_ACME_EAB_HMAC: 'aGV4-_' };
    const { binding } = readConfig({ ...email, ...bound }, '/').acme ?? {};
    expect(binding?.hmacKey.reveal()).toBe('aGV4-_');
    expect(JSON.stringify(binding)).not.toContain('aGV4');
    for (const [name, value] of [
      ['LONGSHORE_ACME_EAB_KID', ''],
      ['LONGSHORE_ACME_EAB_HMAC', ''],
      ['LONGSHORE_ACME_EAB_HMAC', 'not base64!'],
      ['LONGSHORE_ACME_DIRECTORY', 'http://ca.example.com/directory'],
    ]) {
      const read = () => readConfig({ ...email, ...bound, [name ?? '']: value }, '/');
      expect(read).toThrow(new RegExp(`^${name} must be (?!.*not base64)`));
    }
  });

  it('reads the files of the own certificate relative to the working directory', () => {
    const files = { LONGSHORE_TLS_CERT: 'cert.pem', LONGSHORE_TLS_KEY: '/keys/key.pem' };
    const tls = { certFile: '/srv/cert.pem', keyFile: '/keys/key.pem' };
    expect(readConfig(files, '/srv').tls).toEqual(tls);
    for (const name of ['LONGSHORE_TLS_CERT', 'LONGSHORE_TLS_KEY']) {
      const read = () => readConfig({ ...files, [name]: '' }, '/srv');
      expect(read).toThrow(new RegExp(`^${name} must be set together with LONGSHORE_TLS_`));
    }
  });

  it('reads allowed origins as browsers send them, none by default', () => {
    const value = 'https://App.example.com:443/, http://localhost:5173,,http://[::1]:80';
    const { allowedOrigins } = readConfig({ LONGSHORE_ALLOWED_ORIGINS: value }, '/');
    expect(allowedOrigins).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
      'http://[::1]',
    ]);
    expect(readConfig({}, '/').allowedOrigins).toEqual([]);
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

  it('offers all sizes, and any number of instances, on a cluster', () => {
    const machine = { cpus: 1, memoryBytes: 1024 ** 3 };
    const { tiers } = readConfig({ LONGSHORE_ENGINE: 'kubernetes' }, '/', machine);
    expect(offeredTiers(tiers)).toEqual(DEFAULT_TIERS);
    expect(capacityProblem(20, 't5', tiers)).toBeUndefined();
  });

  it('has quotas and builds on a cluster that do not depend on the machine of the server', () => {
    const machine = { cpus: 1, memoryBytes: 1024 ** 3 };
    const { quota, builds } = readConfig({ LONGSHORE_ENGINE: 'kubernetes' }, '/', machine);
    expect(quota).toMatchObject({ cpus: 4, memoryBytes: 8 * 1024 ** 3 });
    expect(builds).toMatchObject({ max: 4, limits: { cpus: 1, memoryBytes: 2 * 1024 ** 3 } });
  });

  it('has sizes up to 4 CPU and 8 GiB by default, and knows the machine', () => {
    const machine = { cpus: 3, memoryBytes: 8 * 1024 ** 3 };
    expect(readConfig({}, '/', machine).tiers).toEqual({ tiers: DEFAULT_TIERS, machine });
  });

  it('reads the sizes of a file, relative to the working directory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longshore-tiers-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const read = (name = 'tiers.json') => readConfig({ LONGSHORE_TIERS: name }, folder).tiers.tiers;
    await writeFile(join(folder, 'tiers.json'), '[{"name":"t1","cpus":2,"memoryMb":64}]');
    expect(read()).toEqual([{ name: 't1', cpus: 2, memoryBytes: 64 * 1024 ** 2, processes: 256 }]);
    await writeFile(join(folder, 'tiers.json'), '[{"name":"t1","cpus":-1,"memoryMb":64}]');
    expect(() => read()).toThrow(/^LONGSHORE_TIERS has a wrong "cpus" in the size "t1"/);
    expect(() => read('none.json')).toThrow(
      `LONGSHORE_TIERS must be a file that can be read, not "${folder}/none.json" (ENOENT).`,
    );
  });

  it('has no registries by default', () => {
    expect(readConfig({}, '/')).toMatchObject({
      builderImage: 'moby/buildkit:rootless',
      registries: { registry: undefined, mirror: undefined },
    });
  });

  it.each([
    ['registry.example.com/team', 'false', { host: 'registry.example.com', path: 'team' }],
    ['Registry.Example.com', 'false', { host: 'registry.example.com', path: '' }],
    ['localhost:5000/a/b', 'true', { host: 'localhost:5000', path: 'a/b', isInsecure: true }],
    ['10.0.0.5:5000', 'true', { host: '10.0.0.5:5000', path: '', isInsecure: true }],
  ])('reads the registry %s', (registry, insecure, expected) => {
    const environment = { LONGSHORE_REGISTRY: registry, LONGSHORE_REGISTRY_INSECURE: insecure };
    const { registries } = readConfig(environment, '/');
    expect(registries.registry).toEqual({ isInsecure: false, ...expected });
  });

  it.each([
    ['https://mirror.example.com', 'mirror.example.com', false],
    ['https://Mirror.Example.com/', 'mirror.example.com', false],
    ['http://10.0.0.5:5000', '10.0.0.5:5000', true],
    ['mirror.example.com:5000', 'mirror.example.com:5000', false],
    ['mirror.example.com', 'mirror.example.com', false],
    ['localhost:5000', 'localhost:5000', true],
    ['127.0.0.1:5000', '127.0.0.1:5000', true],
    ['[::1]:5000', '[::1]:5000', true],
    ['https://localhost:5000', 'localhost:5000', false],
  ])('reads the mirror %s', (mirror, host, isPlainHttp) => {
    const { registries } = readConfig({ LONGSHORE_REGISTRY_MIRROR: mirror }, '/');
    expect(registries.mirror).toEqual({ host, isPlainHttp });
  });

  it('does not repeat the password of a mirror', () => {
    const environment = { LONGSHORE_REGISTRY_MIRROR: 'https://ada:hunter2@mirror.example.com' };
    expect(() => readConfig(environment, '/')).not.toThrow(/hunter2/);
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
