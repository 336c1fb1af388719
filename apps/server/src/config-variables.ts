import { LOCAL_BACKEND_PORT, PASSWORD_MIN_LENGTH } from '@longshore/contract';

type Variable = { name: string; fallback: string; description: string };

/** Every environment variable of the server, in the order of `--help`. The README has the same table. */
export const VARIABLES = [
  { name: 'LONGSHORE_HOST', fallback: '127.0.0.1', description: 'Address to listen on' },
  {
    name: 'LONGSHORE_PORT',
    fallback: String(LOCAL_BACKEND_PORT),
    description: 'Port of the console',
  },
  {
    name: 'LONGSHORE_PUBLIC_URL',
    fallback: '',
    description: 'URL of the console in browsers (default http://localhost:<port>)',
  },
  {
    name: 'LONGSHORE_HSTS',
    fallback: 'false',
    description: 'Browsers may open the console over HTTPS only, with an https:// public URL',
  },
  {
    name: 'LONGSHORE_DATA_DIR',
    fallback: '.longshore',
    description: 'Directory for database, keys, apps and logs',
  },
  { name: 'DATABASE_URL', fallback: '', description: 'Use your own Postgres (default embedded)' },
  {
    name: 'LONGSHORE_STATE',
    fallback: 'local',
    description: 'local: for one server; shared: for several, on one database',
  },
  {
    name: 'LONGSHORE_MASTER_KEY',
    fallback: '',
    description: 'Encrypts the keys of shared state, at least 32 characters',
  },
  {
    name: 'LONGSHORE_REPLICA_ADDRESS',
    fallback: '',
    description:
      'Where other servers reach this one, such as 192.0.2.7:1337 (default: own address)',
  },
  {
    name: 'LONGSHORE_ENGINE',
    fallback: 'auto',
    description: 'Engine that runs apps: auto, docker or process',
  },
  {
    name: 'LONGSHORE_DOCKER_SOCKET',
    fallback: '/var/run/docker.sock',
    description: 'Socket of the Docker Engine',
  },
  {
    name: 'KUBECONFIG',
    fallback: '',
    description: 'Access to a cluster, with LONGSHORE_ENGINE=kubernetes',
  },
  {
    name: 'LONGSHORE_KUBE_NAMESPACE_PREFIX',
    fallback: 'longshore',
    description: 'Projects get the namespaces <prefix>-<id> of the cluster',
  },
  {
    name: 'LONGSHORE_NODE_IMAGE',
    fallback: 'node:24-slim',
    description: 'Base image for repositories without a Dockerfile, with Docker',
  },
  {
    name: 'LONGSHORE_BUILDER_IMAGE',
    fallback: 'moby/buildkit:rootless',
    description: 'BuildKit image in which images are built, with Docker and Kubernetes',
  },
  {
    name: 'LONGSHORE_BUILDER_STORAGE_CLASS',
    fallback: '',
    description: 'Storage class of the volumes with build caches, or none, with Kubernetes',
  },
  {
    name: 'LONGSHORE_REGISTRY',
    fallback: '',
    description: 'Your own registry that builds may read, such as registry.example.com/team',
  },
  {
    name: 'LONGSHORE_REGISTRY_USERNAME',
    fallback: '',
    description: 'Account of that registry to which built images are pushed, with Kubernetes',
  },
  {
    name: 'LONGSHORE_REGISTRY_PASSWORD',
    fallback: '',
    description: 'Password or token of that account',
  },
  {
    name: 'LONGSHORE_REGISTRY_INSECURE',
    fallback: 'false',
    description: 'That registry uses plain HTTP or a self-signed certificate',
  },
  {
    name: 'LONGSHORE_REGISTRY_MIRROR',
    fallback: '',
    description: 'Pull-through mirror of Docker Hub, such as http://localhost:5000',
  },
  { name: 'LONGSHORE_INGRESS_PORT', fallback: '8080', description: 'Port for traffic to apps' },
  {
    name: 'LONGSHORE_HTTPS_PORT',
    fallback: '',
    description: 'Port for HTTPS traffic to apps, such as 443 (default: no HTTPS)',
  },
  {
    name: 'LONGSHORE_TRUSTED_PROXY',
    fallback: '',
    description: 'Proxies whose X-Forwarded-* headers are trusted, such as 192.0.2.1',
  },
  {
    name: 'LONGSHORE_PROXY_PROTOCOL',
    fallback: 'false',
    description: 'Those proxies send PROXY protocol version 2 to the ports for apps',
  },
  {
    name: 'LONGSHORE_EDGE',
    fallback: 'auto',
    description: 'Who starts the edge: auto (the server) or service (npm run edge)',
  },
  {
    name: 'LONGSHORE_EDGE_ADDRESS',
    fallback: '',
    description:
      'Edges in other pods, such as edge.example.internal:7443 (default: on this machine)',
  },
  {
    name: 'LONGSHORE_EDGE_KEY',
    fallback: '',
    description: 'Secret that this server shares with those edges, at least 32 characters',
  },
  {
    name: 'LONGSHORE_EDGE_TRUSTED_PROXY',
    fallback: '',
    description: 'Proxies whose X-Forwarded-* headers those edges trust, such as 192.0.2.1',
  },
  {
    name: 'LONGSHORE_NETWORK',
    fallback: '10.213.0.0/16',
    description: 'Private network for the addresses of isolated apps',
  },
  {
    name: 'LONGSHORE_ALLOWED_NETWORKS',
    fallback: '',
    description: 'Private networks that isolated apps may connect to, such as 10.0.0.0/8',
  },
  {
    name: 'LONGSHORE_BASE_DOMAIN',
    fallback: 'localhost',
    description: 'Apps get <name>-<12 hex>.<base domain>',
  },
  {
    name: 'LONGSHORE_PUBLIC_IP',
    fallback: '127.0.0.1',
    description: 'IP address that custom domains must point to',
  },
  {
    name: 'LONGSHORE_DNS_SERVERS',
    fallback: '',
    description: 'Name servers for domain checks, such as 9.9.9.9, [fd00::2]:5353',
  },
  {
    name: 'LONGSHORE_ACME_EMAIL',
    fallback: '',
    description: 'Order certificates for HTTPS with this contact, and accept the terms',
  },
  {
    name: 'LONGSHORE_ACME_DIRECTORY',
    fallback: 'https://acme-v02.api.letsencrypt.org/directory',
    description: 'Certificate authority',
  },
  {
    name: 'LONGSHORE_ACME_EAB_KID',
    fallback: '',
    description: 'External account binding: key id from the certificate authority',
  },
  {
    name: 'LONGSHORE_ACME_EAB_HMAC',
    fallback: '',
    description: 'External account binding: HMAC key, base64url',
  },
  {
    name: 'LONGSHORE_ACME_CA_FILE',
    fallback: '',
    description: 'Certificates to trust for connections to the certificate authority, PEM',
  },
  {
    name: 'LONGSHORE_S3_ENDPOINT',
    fallback: '',
    description:
      'Object storage for files, such as https://s3.example.com (default: the data directory)',
  },
  {
    name: 'LONGSHORE_S3_BUCKET',
    fallback: '',
    description: 'Bucket of that object storage',
  },
  {
    name: 'LONGSHORE_S3_REGION',
    fallback: 'us-east-1',
    description: 'Region of that object storage',
  },
  {
    name: 'LONGSHORE_S3_ACCESS_KEY_ID',
    fallback: '',
    description: 'Access key id for that object storage',
  },
  {
    name: 'LONGSHORE_S3_SECRET_ACCESS_KEY',
    fallback: '',
    description: 'Secret access key for that object storage',
  },
  {
    name: 'LONGSHORE_S3_PREFIX',
    fallback: '',
    description: 'Start of all names in the bucket',
  },
  {
    name: 'LONGSHORE_TLS_CERT',
    fallback: '',
    description: 'Your own certificate with its chain, PEM, such as for *.<base domain>',
  },
  {
    name: 'LONGSHORE_TLS_KEY',
    fallback: '',
    description: 'Key of that certificate, PEM; both are reloaded when they change',
  },
  {
    name: 'LONGSHORE_PASSWORD_MIN_LENGTH',
    fallback: String(PASSWORD_MIN_LENGTH),
    description: 'Minimum password length at sign-up',
  },
  {
    name: 'LONGSHORE_ACCESS_TOKEN_TTL',
    fallback: '900',
    description: 'Lifetime of access tokens, in seconds',
  },
  {
    name: 'SMTP_URL',
    fallback: '',
    description: 'Mail server; without it, mails are written to the outbox',
  },
  {
    name: 'LONGSHORE_MAIL_FROM',
    fallback: 'Longshore <longshore@localhost>',
    description: 'Sender of emails',
  },
  {
    name: 'LONGSHORE_REQUIRE_VERIFIED_EMAIL',
    fallback: '',
    description: 'Require a verified email address to sign in (default true with SMTP_URL)',
  },
  {
    name: 'LONGSHORE_SMS_WEBHOOK',
    fallback: '',
    description: 'URL that receives text messages; default: the outbox',
  },
  {
    name: 'LONGSHORE_ANONYMOUS_SIGN_IN',
    fallback: 'false',
    description: 'Allow anonymous sessions',
  },
  {
    name: 'LONGSHORE_SIGN_UP',
    fallback: '',
    description:
      'Who may sign up: open, closed, invite or email domains (default: as set in the console)',
  },
  {
    name: 'LONGSHORE_RATE_LIMITS',
    fallback: 'true',
    description: 'Limit sign-in attempts',
  },
  {
    name: 'LONGSHORE_ALLOWED_REDIRECTS',
    fallback: '',
    description: 'Additional redirect targets, comma-separated',
  },
  {
    name: 'LONGSHORE_ALLOWED_ORIGINS',
    fallback: '',
    description: 'Origins of other pages that may use the API, such as https://app.example.com',
  },
  {
    name: 'LONGSHORE_GITHUB_URL',
    fallback: 'https://github.com',
    description: 'GitHub or GitHub Enterprise',
  },
  {
    name: 'LONGSHORE_GITHUB_CLIENT_ID',
    fallback: '',
    description: 'OAuth client id; enables GitHub',
  },
  {
    name: 'LONGSHORE_GITHUB_CLIENT_SECRET',
    fallback: '',
    description: 'OAuth client secret for GitHub',
  },
  {
    name: 'LONGSHORE_GITLAB_URL',
    fallback: 'https://gitlab.com',
    description: 'gitlab.com or a self-managed GitLab',
  },
  {
    name: 'LONGSHORE_GITLAB_CLIENT_ID',
    fallback: '',
    description: 'OAuth client id; enables GitLab',
  },
  {
    name: 'LONGSHORE_GITLAB_CLIENT_SECRET',
    fallback: '',
    description: 'OAuth client secret for GitLab',
  },
  {
    name: 'LONGSHORE_DOCKERHUB_URL',
    fallback: 'https://registry-1.docker.io',
    description: 'Docker Hub registry that verifies credentials',
  },
  {
    name: 'LONGSHORE_GOOGLE_URL',
    fallback: 'https://accounts.google.com',
    description: 'Google or another OpenID Connect issuer',
  },
  {
    name: 'LONGSHORE_GOOGLE_CLIENT_ID',
    fallback: '',
    description: 'OAuth client id; enables sign-in with Google',
  },
  {
    name: 'LONGSHORE_GOOGLE_CLIENT_SECRET',
    fallback: '',
    description: 'OAuth client secret for Google',
  },
  {
    name: 'LONGSHORE_ALLOW_LOCAL_SOURCES',
    fallback: 'false',
    description: 'Allow file://, http:// and private-network git sources',
  },
  {
    name: 'LONGSHORE_TRUST_EVERYBODY',
    fallback: 'false',
    description: 'Let every account deploy where apps cannot be isolated',
  },
  {
    name: 'LONGSHORE_INSTALL_TOOLS',
    fallback: 'true',
    description: 'As root on Debian or Ubuntu: install missing isolation tools',
  },
  {
    name: 'LONGSHORE_MAX_FILE_BYTES',
    fallback: '50000000',
    description: 'Maximum size of a stored file',
  },
  {
    name: 'LONGSHORE_FILES_QUOTA_BYTES',
    fallback: '1000000000',
    description: 'Storage quota per user',
  },
  {
    name: 'LONGSHORE_QUOTA_APPS',
    fallback: '20',
    description: 'Apps per user; 0 = no limit, also below',
  },
  {
    name: 'LONGSHORE_QUOTA_MEMORY_MB',
    fallback: '',
    description: 'Memory of the awake apps of a user, in MB (default half of the machine)',
  },
  {
    name: 'LONGSHORE_QUOTA_CPU',
    fallback: '',
    description: 'CPUs of the awake apps of a user, such as 1.5 (default half of the machine)',
  },
  {
    name: 'LONGSHORE_QUOTA_BUILDS',
    fallback: '2',
    description: 'Builds of a user at once',
  },
  {
    name: 'LONGSHORE_QUOTA_DISK_GB',
    fallback: '20',
    description: 'Disk space of the apps of a user, in GB',
  },
  {
    name: 'LONGSHORE_TIERS',
    fallback: '',
    description: 'JSON file with the sizes of apps (default 0.5 CPU, 512 MiB to 4 CPU, 8 GiB)',
  },
  {
    name: 'LONGSHORE_FUNCTIONS_TIMEOUT',
    fallback: '30',
    description: 'Timeout of a function call, in seconds',
  },
  {
    name: 'LONGSHORE_FUNCTIONS_MEMORY_MB',
    fallback: '128',
    description: 'Memory limit per function',
  },
  {
    name: 'LONGSHORE_DOCS_URL',
    fallback: '/docs',
    description: 'Target of the documentation button',
  },
  {
    name: 'LONGSHORE_ADMIN_SECRET',
    fallback: '',
    description: 'Grants full access over GraphQL',
  },
  {
    name: 'LONGSHORE_METRICS_TOKEN',
    fallback: '',
    description: 'Bearer token for Prometheus at /metrics (default: there is nothing)',
  },
  {
    name: 'LONGSHORE_LOG_FORMAT',
    fallback: 'auto',
    description: 'Output: text, json, or auto: text on a terminal, otherwise json',
  },
  {
    name: 'LONGSHORE_LOG_LEVEL',
    fallback: '',
    description: 'Log level: debug, info, warn or error (default info, for text warn)',
  },
] as const satisfies Variable[];

export type VariableName = (typeof VARIABLES)[number]['name'];

export function configHelp(): string {
  const width = Math.max(...VARIABLES.map(({ name }) => name.length)) + 1;
  const rows = VARIABLES.map(({ name, fallback, description }) => {
    const note = fallback === '' ? '' : ` (default ${fallback})`;
    return `  ${name.padEnd(width)}${description}${note}`;
  });
  return ['Environment variables:', '', ...rows].join('\n');
}
