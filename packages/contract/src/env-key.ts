const ENV_KEY = /^[A-Za-z][A-Za-z0-9_]*$/;

export function envKeyProblem(key: string): string | undefined {
  return ENV_KEY.test(key)
    ? undefined
    : 'Must start with a letter and contain only alphanumeric characters and underscores';
}
