const ENV_KEY = /^[A-Za-z][A-Za-z0-9_]*$/;
/** Linux limits one environment string to 128 KiB, and a character may take four bytes. */
const ENV_VALUE_MAX_LENGTH = 30_000;

export function envKeyProblem(key: string): string | undefined {
  return ENV_KEY.test(key)
    ? undefined
    : 'Must start with a letter and contain only alphanumeric characters and underscores';
}

export function envValueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('\0')) return 'Environment values must be text';
  return value.length > ENV_VALUE_MAX_LENGTH
    ? `Environment values must be at most ${ENV_VALUE_MAX_LENGTH} characters`
    : undefined;
}
