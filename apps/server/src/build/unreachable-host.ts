/** How Node, Python, Go and other tools say that a host name could not be resolved. */
const UNRESOLVED = [
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/,
  /\bhostname: ["']([\w.-]+)["']/,
  /lookup ([\w.-]+)(?: on [\w.:[\]]+)?: (?:no such host|server misbehaving)/,
  /[Cc]ould not resolve host: ([\w.-]+)/,
  /Failed to download https?:\/\/([\w.-]+)/,
  /host=["']([\w.-]+)["'].*(?:NameResolutionError|Name or service not known|name resolution)/,
];

/** Next.js leaves out the host. */
const GOOGLE_FONTS = /Failed to fetch .{1,100} from Google Fonts/;

/** The sentence for a build that failed because a host could not be reached; undefined for other builds. */
export function unreachableHost(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const text = line.slice(0, 2_000);
    const named = UNRESOLVED.map((pattern) => pattern.exec(text)?.[1]);
    const host = GOOGLE_FONTS.test(text)
      ? 'fonts.googleapis.com'
      : named.find((it) => it !== undefined);
    if (host !== undefined) {
      return `The build downloads from ${host}, which could not be reached. Redeploy when it can, or put the files that it downloads into the repository`;
    }
  }
  return undefined;
}
