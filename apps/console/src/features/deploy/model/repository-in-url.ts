/** `user@host:path`, and `scheme://user@host:port/path`. */
const ADDRESSES = [
  /^[^@/\s]+@([^:/\s]+):(?!\/\/)(.+)$/,
  /^(?:https?|ssh):\/\/(?:[^@/\s]*@)?([^:/\s]+)(?::\d+)?\/(.+)$/,
];

/** The whole name of the repository that a source url leads to; undefined where it leads to another host. */
export function repositoryInUrl(url: string, host: string): string | undefined {
  const [, hostname, path] = ADDRESSES.map((form) => form.exec(url.trim())).find(Boolean) ?? [];
  if (hostname?.toLowerCase() !== host.split(':')[0]?.toLowerCase()) return undefined;
  return path?.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '') || undefined;
}
