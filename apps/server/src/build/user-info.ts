/** What stands before the @ of an address may be a token: it never reaches a log or a message. */
export function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, '$1');
}
