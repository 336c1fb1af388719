/** Normalises the URL of a code host that a user typed: without a trailing slash. Undefined if it is invalid. */
export function parseProviderUrl(
  input: string,
  { allowLocalSources }: { allowLocalSources: boolean },
): string | undefined {
  const text = input.trim();
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, pathname, username, password, search, hash } = new URL(url);
  // Plain http would expose the token.
  const protocols = allowLocalSources ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(protocol)) return undefined;
  if (username !== '' || password !== '' || search !== '' || hash !== '') return undefined;
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
