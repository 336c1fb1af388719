/** Words of a variable's name that promise a secret. */
const SECRET_WORDS = new Set([
  ...['auth', 'cookie', 'credential', 'jwt', 'key', 'pass', 'passphrase', 'pat', 'private', 'pwd'],
  ...['salt', 'seed'],
]);
/** These do so also inside a longer word. */
const SECRET_PART = /secret|token|passw|credential|apikey|privatekey|accesskey/;
/** A name that ends so speaks of a secret, but is none: `TOKEN_URL`, `PASSWORD_MIN_LENGTH`. */
const ABOUT_SECRETS =
  /(?:url|uri|host|port|name|path|file|dir|endpoint|issuer|audience|domain|type|ttl|timeout|expiry|expires|length|algorithm|enabled)$/;

/** `scheme://user:password@host`, and `scheme://token@host`. */
const USER_PART = /[a-z][a-z0-9+.-]*:\/\/([^\s/?#@]*)@/gi;
const MIN_LONE_TOKEN = 16;
const QUERY_PART = /[?&;]([\w.-]+)=([^\s&;#]+)/g;

/**
 * The values of an app's variables that nobody should read in a log: those whose names say so, and, whatever the name, a
 * private key, and passwords inside addresses. Not every value: `production` and `8080` would vanish from every line.
 */
export function secretsInEnv(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    soundsSecret(name) || value.includes('PRIVATE KEY-----')
      ? [value, ...secretsInAddress(value)]
      : secretsInAddress(value),
  );
}

export function soundsSecret(name: string): boolean {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.split(/[^a-z]+/).map((word) => word.replace(/(?<!s)s$/, ''));
  // Whoever knows such an address may post to it.
  if (words.includes('webhook')) return true;
  if (ABOUT_SECRETS.test(spaced)) return false;
  return SECRET_PART.test(words.join('')) || words.some((word) => SECRET_WORDS.has(word));
}

/** As it stands there, and as it is meant. */
export function secretsInAddress(text: string): string[] {
  const users = [...text.matchAll(USER_PART)].flatMap(([, user = '']) => passwordOf(user));
  const queried = [...text.matchAll(QUERY_PART)].flatMap(([, name = '', value = '']) =>
    soundsSecret(name) ? [value] : [],
  );
  return [...users, ...queried].flatMap((secret) => [secret, decoded(secret)]);
}

function passwordOf(user: string): string[] {
  const colon = user.indexOf(':');
  if (colon !== -1) return [user.slice(colon + 1)];
  return user.length >= MIN_LONE_TOKEN ? [user] : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
