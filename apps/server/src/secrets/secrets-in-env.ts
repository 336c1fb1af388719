import { TOKEN_MIN_LENGTH } from '@longshore/contract';

/** Words in a variable name that mark its value as secret. */
const SECRET_WORDS = new Set([
  ...['auth', 'cookie', 'credential', 'jwt', 'key', 'pass', 'passphrase', 'pat', 'private', 'pwd'],
  ...['salt', 'seed'],
]);
/** These also count as part of a longer word. */
const SECRET_PART = /secret|token|passw|credential|apikey|privatekey|accesskey/;
/** Names with these endings describe a secret but do not contain it: `TOKEN_URL`, `PASSWORD_MIN_LENGTH`. */
const METADATA_ENDING =
  /(?:url|uri|host|port|name|path|file|dir|endpoint|issuer|audience|domain|type|ttl|timeout|expiry|expires|length|algorithm|enabled)$/;

/** `scheme://user:password@host`, and `scheme://token@host`. */
const USER_INFO = /[a-z][a-z0-9+.-]*:\/\/([^\s/?#@]*)@/gi;
const QUERY_PARAMETER = /[?&;]([\w.-]+)=([^\s&;#]+)/g;

/**
 * The values of an app's variables that must not appear in logs: those with a secret name, and under any name private
 * keys and passwords in URLs. Not all values: then `production` or `8080` would be masked in every line. A value of another
 * app has the name `app.VARIABLE`.
 */
export function secretsInEnv(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name.slice(name.lastIndexOf('.') + 1)) || value.includes('PRIVATE KEY-----')
      ? [value, ...secretsInUrl(value)]
      : secretsInUrl(value),
  );
}

export function isSecretName(name: string): boolean {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.split(/[^a-z]+/).map((word) => word.replace(/(?<!s)s$/, ''));
  // A webhook URL is a credential: knowing it is enough to send requests.
  if (words.includes('webhook')) return true;
  if (METADATA_ENDING.test(spaced)) return false;
  return SECRET_PART.test(words.join('')) || words.some((word) => SECRET_WORDS.has(word));
}

/** Passwords and tokens in the URLs of a text, both as written and URL-decoded. */
export function secretsInUrl(text: string): string[] {
  const passwords = [...text.matchAll(USER_INFO)].flatMap(([, user = '']) => passwordOf(user));
  const queryValues = [...text.matchAll(QUERY_PARAMETER)].flatMap(([, name = '', value = '']) =>
    isSecretName(name) ? [value] : [],
  );
  return [...passwords, ...queryValues].flatMap((secret) => [secret, decode(secret)]);
}

function passwordOf(user: string): string[] {
  const colon = user.indexOf(':');
  if (colon !== -1) return [user.slice(colon + 1)];
  return user.length >= TOKEN_MIN_LENGTH ? [user] : [];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
