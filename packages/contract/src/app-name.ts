const APP_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The label of the automatic domain is the name, a hyphen and 12 hex digits; DNS allows 63 characters. */
export const APP_NAME_MAX_LENGTH = 50;

/** The message to show, or undefined when the name is valid. The other `…Problem` functions work the same way. */
export function appNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Application name is required';
  if (!APP_NAME.test(name)) return 'Must be lowercase a-z, 0-9, and - (no spaces or uppercase)';
  if (name.length > APP_NAME_MAX_LENGTH) {
    return `Must be at most ${APP_NAME_MAX_LENGTH} characters`;
  }
  return undefined;
}
