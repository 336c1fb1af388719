import { LOCAL_BACKEND_PORT, PASSWORD_MIN_LENGTH } from '@longshore/contract';

type Variable = { name: string; fallback: string; meaning: string };

/** Every variable Longshore reads, in the order `--help` prints them. */
export const VARIABLES = [
  { name: 'LONGSHORE_HOST', fallback: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'LONGSHORE_PORT', fallback: String(LOCAL_BACKEND_PORT), meaning: 'port of the console' },
  {
    name: 'LONGSHORE_PUBLIC_URL',
    fallback: '',
    meaning: 'where browsers reach the console (default http://localhost:<port>)',
  },
  { name: 'LONGSHORE_DATA_DIR', fallback: '.longshore', meaning: 'database, keys, apps and logs' },
  { name: 'DATABASE_URL', fallback: '', meaning: 'a Postgres of your own (default embedded)' },
  {
    name: 'LONGSHORE_ENGINE',
    fallback: 'auto',
    meaning: 'what runs apps: auto, docker or process',
  },
  {
    name: 'LONGSHORE_DOCKER_SOCKET',
    fallback: '/var/run/docker.sock',
    meaning: 'where the Docker Engine listens',
  },
  {
    name: 'LONGSHORE_NODE_IMAGE',
    fallback: 'node:24-slim',
    meaning: 'what repositories without a Dockerfile are built on, with Docker',
  },
  { name: 'LONGSHORE_INGRESS_PORT', fallback: '8080', meaning: 'port where apps are reached' },
  {
    name: 'LONGSHORE_TRUSTED_PROXY',
    fallback: '',
    meaning: 'proxies before that port, believed about who asks: addresses or networks',
  },
  {
    name: 'LONGSHORE_BASE_DOMAIN',
    fallback: 'localhost',
    meaning: 'apps live at <name>-<12 hex>.<base domain>',
  },
  {
    name: 'LONGSHORE_PUBLIC_IP',
    fallback: '127.0.0.1',
    meaning: 'where custom domains must lead; shown for their A record',
  },
  {
    name: 'LONGSHORE_PASSWORD_MIN_LENGTH',
    fallback: String(PASSWORD_MIN_LENGTH),
    meaning: 'shortest password accepted at sign-up',
  },
  {
    name: 'LONGSHORE_ACCESS_TOKEN_TTL',
    fallback: '900',
    meaning: 'life of an access token, in seconds',
  },
  { name: 'SMTP_URL', fallback: '', meaning: 'mail server (default: mails land in the outbox)' },
  {
    name: 'LONGSHORE_MAIL_FROM',
    fallback: 'Longshore <longshore@localhost>',
    meaning: 'sender of mails',
  },
  {
    name: 'LONGSHORE_REQUIRE_VERIFIED_EMAIL',
    fallback: '',
    meaning: 'sign in only with a verified address (default true when SMTP_URL is set)',
  },
  {
    name: 'LONGSHORE_SMS_WEBHOOK',
    fallback: '',
    meaning: 'text messages are posted there (default: they land in the outbox)',
  },
  {
    name: 'LONGSHORE_ANONYMOUS_SIGN_IN',
    fallback: 'false',
    meaning: 'allow sessions without an account',
  },
  {
    name: 'LONGSHORE_RATE_LIMITS',
    fallback: 'true',
    meaning: 'refuse those who try to sign in too often',
  },
  {
    name: 'LONGSHORE_ALLOWED_REDIRECTS',
    fallback: '',
    meaning: 'further addresses links may lead to, separated by commas',
  },
  {
    name: 'LONGSHORE_GITHUB_URL',
    fallback: 'https://github.com',
    meaning: 'GitHub, or a GitHub Enterprise of your own',
  },
  {
    name: 'LONGSHORE_GITHUB_CLIENT_ID',
    fallback: '',
    meaning: 'turns on OAuth with GitHub; its name for this installation',
  },
  {
    name: 'LONGSHORE_GITHUB_CLIENT_SECRET',
    fallback: '',
    meaning: 'the secret that GitHub gave with it',
  },
  {
    name: 'LONGSHORE_GITLAB_URL',
    fallback: 'https://gitlab.com',
    meaning: 'GitLab, or your own',
  },
  {
    name: 'LONGSHORE_GITLAB_CLIENT_ID',
    fallback: '',
    meaning: 'turns on OAuth with GitLab; its name for this installation',
  },
  {
    name: 'LONGSHORE_GITLAB_CLIENT_SECRET',
    fallback: '',
    meaning: 'the secret that GitLab gave with it',
  },
  {
    name: 'LONGSHORE_DOCKERHUB_URL',
    fallback: 'https://registry-1.docker.io',
    meaning: 'Docker Hub, where its user names and passwords are checked',
  },
  {
    name: 'LONGSHORE_GOOGLE_URL',
    fallback: 'https://accounts.google.com',
    meaning: 'Google, or another OpenID Connect issuer',
  },
  {
    name: 'LONGSHORE_GOOGLE_CLIENT_ID',
    fallback: '',
    meaning: 'turns on signing in with Google; its name for this installation',
  },
  {
    name: 'LONGSHORE_GOOGLE_CLIENT_SECRET',
    fallback: '',
    meaning: 'the secret that Google gave with it',
  },
  {
    name: 'LONGSHORE_ALLOW_LOCAL_SOURCES',
    fallback: 'false',
    meaning: 'allow file://, http:// and private-network git sources',
  },
  {
    name: 'LONGSHORE_MAX_FILE_BYTES',
    fallback: '50000000',
    meaning: 'largest file that storage takes',
  },
  {
    name: 'LONGSHORE_FILES_QUOTA_BYTES',
    fallback: '1000000000',
    meaning: 'how much each user may store there',
  },
  {
    name: 'LONGSHORE_FUNCTIONS_TIMEOUT',
    fallback: '30',
    meaning: 'how long a function may take to answer, in seconds',
  },
  {
    name: 'LONGSHORE_FUNCTIONS_MEMORY_MB',
    fallback: '128',
    meaning: 'how much memory each function may use',
  },
  {
    name: 'LONGSHORE_DOCS_URL',
    fallback: '/docs',
    meaning: 'where the documentation button leads',
  },
  {
    name: 'LONGSHORE_ADMIN_SECRET',
    fallback: '',
    meaning: 'lets who knows it read and change all rows over GraphQL (default: nobody)',
  },
  {
    name: 'LONGSHORE_LOG_LEVEL',
    fallback: 'info',
    meaning: 'how much the server says: debug, info, warn or error',
  },
] as const satisfies Variable[];

export type VariableName = (typeof VARIABLES)[number]['name'];

export function configHelp(): string {
  const rows = VARIABLES.map(({ name, fallback, meaning }) => {
    const note = fallback === '' ? '' : ` (default ${fallback})`;
    return `  ${name.padEnd(31)}${meaning}${note}`;
  });
  return ['Longshore reads these environment variables:', '', ...rows].join('\n');
}
