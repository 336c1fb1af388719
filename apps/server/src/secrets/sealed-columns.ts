/** Every column that holds sealed text. A test looks whether one is missing here. */
export const SEALED_COLUMNS = [
  { table: 'auth.users', column: 'totp_secret' },
  { table: 'auth.provider_sessions', column: 'sealed_tokens' },
  { table: 'connect.secrets', column: 'sealed' },
] as const;
