/** An IPv6 literal in its brackets, or anything else up to the port. */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^.\s:@/?#[\]][^\s:@/?#[\]]*?)\.?(?::\d*)?$/;

/** The bare host of an authority: lower case, no port, no trailing dot. Empty if the authority is invalid. */
export function hostName(authority: string): string {
  return AUTHORITY.exec(authority.toLowerCase())?.[1] ?? '';
}
