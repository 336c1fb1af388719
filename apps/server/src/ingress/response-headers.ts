import { eachForwarded } from './hop-headers.ts';

/** The raw headers a client gets: those of the app, without what speaks of our connection to it. */
export function responseHeaders(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  eachForwarded(rawHeaders, (name, value) => headers.push(name, value));
  return headers;
}
