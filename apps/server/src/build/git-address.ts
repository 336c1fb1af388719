/** The parsed address of a repository. */
export type GitAddress =
  | { kind: 'https' | 'http'; host: string; port: number }
  | { kind: 'ssh'; host: string; port: number }
  | { kind: 'file'; path: string };

const SCP_FORM = /^[A-Za-z0-9._-]+@([A-Za-z0-9.-]+):(?!\/\/)[^\s]+$/;
const SSH_PORT = 22;
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.?|\[[0-9A-Fa-f:.]+\])$/;

/** Undefined for forms that are not allowed, such as `ext::` and options. */
export function parseGitAddress(url: string): GitAddress | undefined {
  const scpHost = SCP_FORM.exec(url)?.[1];
  if (scpHost !== undefined) {
    return HOST.test(scpHost) ? { kind: 'ssh', host: scpHost, port: SSH_PORT } : undefined;
  }
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === 'file:') return filePath(hostname, pathname);
  if (!HOST.test(hostname)) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'ssh:') return { kind: 'ssh', host, port: Number(port || SSH_PORT) };
  if (protocol === 'https:') return { kind: 'https', host, port: Number(port || 443) };
  if (protocol === 'http:') return { kind: 'http', host, port: Number(port || 80) };
  return undefined;
}

function filePath(hostname: string, pathname: string): GitAddress | undefined {
  if (hostname !== '') return undefined;
  try {
    return { kind: 'file', path: decodeURIComponent(pathname) };
  } catch {
    return undefined;
  }
}

/** Removes user and password from URLs, because they may contain a token. */
export function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/'"]*@/gi, '$1');
}
