import { describe, expect, it } from 'vitest';
import { isSecretName, secretsInEnv, secretsInUrl } from './secrets-in-env.ts';

it.each([
  ...['SECRET', 'APP_SECRET', 'JWT_SECRET_V2', 'TOKEN', 'GITHUB_TOKEN', 'GITHUBTOKEN', 'apiToken'],
  ...['PASSWORD', 'DB_PASSWORD', 'POSTGRES_PASSWD', 'DB_PASS', 'PGPASSWORD', 'MYSQL_PWD'],
  ...['API_KEY', 'APIKEY', 'apiKey', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'KEYS'],
  ...['PRIVATE_KEY', 'CREDENTIALS', 'SERVICE_CREDENTIALS_JSON', 'SALT', 'SLACK_WEBHOOK_URL'],
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  ...['NODE_ENV', 'PORT', 'HOST', 'DATABASE_NAME', 'PASSENGER_APP_ENV', 'MONKEY', 'KEYBOARD'],
  ...['TZ', 'LANG', 'COMPASS', 'AUTHOR', 'TOKEN_URL', 'PASSWORD_MIN_LENGTH', 'KEY_FILE', ''],
])('%j is not the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

describe('the secrets in variables', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['by name', { API_KEY: 'k-123456', NODE_ENV: 'production' }, ['k-123456']],
    [
      'a private key',
      { PEM: '-----BEGIN PRIVATE KEY-----\nabc' },
      ['-----BEGIN PRIVATE KEY-----\nabc'],
    ],
    ['in a URL', { DATABASE_URL: 'postgres://ada:hunter2@db/app' }, ['hunter2', 'hunter2']],
    ['none', { GREETING: 'hello there', ADDRESS: 'https://example.com/a@b' }, []],
  ])('are found: %s', (_case, env, expected) => {
    expect(secretsInEnv(env)).toEqual(expected);
  });
});

it.each([
  ['redis://:p%40ss@host:6379/0', ['p%40ss', 'p@ss']],
  ['https://ghp_0123456789abcdef@github.com/a/b.git', ['ghp_0123456789abcdef']],
  ['https://ada@github.com/a/b.git', []],
  ['amqp://u:one@a,amqp://u:two@b', ['one', 'two']],
  ['https://hooks.example.com/?room=7&token=abcdef%2F', ['abcdef%2F', 'abcdef/']],
  ['Server=db;Password=x', ['x']],
  ['postgres://u:%zz@host', ['%zz']],
  ['git@github.com:a/b.git', []],
])('finds the secrets in %s', (url, expected) => {
  expect([...new Set(secretsInUrl(url))]).toEqual(expected);
});
