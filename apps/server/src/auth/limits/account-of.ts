const ACCOUNT_FIELDS = ['email', 'newEmail', 'phoneNumber'] as const;
const MAX_LENGTH = 320;

/** The account a body speaks of, written as the accounts are; nothing when it names none. */
export function accountOf(body: string): string | undefined {
  const fields = parse(body);
  for (const name of ACCOUNT_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') {
      return value.trim().toLowerCase().slice(0, MAX_LENGTH);
    }
  }
  return undefined;
}

function parse(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
