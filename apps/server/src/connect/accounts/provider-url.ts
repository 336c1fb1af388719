/** Where a code host lives, as somebody typed it, without a slash at the end. Undefined: it is no such address. */
export function parseProviderUrl(
  given: string,
  { allowLocalSources }: { allowLocalSources: boolean },
): string | undefined {
  const text = given.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, pathname, username, password, search, hash } = new URL(address);
  // A token that is sent in the open is everybody's.
  const protocols = allowLocalSources ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(protocol)) return undefined;
  if (username !== '' || password !== '' || search !== '' || hash !== '') return undefined;
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
