/** Content of `/config.json`, read by the console at start, so that one build serves every installation. */
export type ConsoleConfig = {
  /** Paths below the console's own origin, or full URLs of a compatible backend. */
  services: {
    auth: string;
    graphql: string;
    storage: string;
    functions: string;
    connect: string;
    logs: string;
    /** Absent where custom domains are not checked. */
    domains?: string;
    /** Absent where accounts have no quotas. */
    usage?: string;
    /** Absent where the backend does not say whether it isolates apps. */
    isolation?: string;
  };
  docsUrl: string;
  /** The URL of an app is `<scheme>://<domain>:<port>`, without the port when it is the scheme's default. */
  ingress: { scheme: 'http' | 'https'; port: number; baseDomain: string; publicIp: string };
  /** Which engine runs apps, and whether `file://` sources are allowed. */
  engine: 'process' | 'docker' | 'kubernetes';
  allowLocalSources: boolean;
  providers: { github: boolean; gitlab: boolean };
  /** Whether the first account must be created with the set-up code from the terminal. Absent: false. */
  needsSetupCode?: boolean;
  /** Code hosts: their URL, and whether the operator configured OAuth. Absent: unknown. */
  integrations?: Record<'github' | 'gitlab', { oauth: boolean; url: string }>;
};

/** The URL of an app. */
export function publicUrlOf({ scheme, port }: ConsoleConfig['ingress'], domain: string): string {
  const isDefaultPort = port === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${domain}${isDefaultPort ? '' : `:${port}`}`;
}
