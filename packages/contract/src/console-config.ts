/** What `/config.json` tells the console, so that one build serves every installation. */
export type ConsoleConfig = {
  /** Paths below the console's own origin, or whole addresses of a compatible backend. */
  services: {
    auth: string;
    graphql: string;
    storage: string;
    functions: string;
    connect: string;
    logs: string;
    /** Absent where nobody checks custom domains. */
    domains?: string;
  };
  docsUrl: string;
  /** Apps are reached at `<scheme>://<domain>:<port>`; the port is left out when it is the scheme's own. */
  ingress: { scheme: 'http' | 'https'; port: number; baseDomain: string; publicIp: string };
  /** Which engine runs apps, and whether `file://` sources are allowed. */
  engine: 'process' | 'docker' | 'kubernetes';
  allowLocalSources: boolean;
  providers: { github: boolean; gitlab: boolean };
  /** Whether the first account is still to be made, with the code from the terminal. Absent: it is not. */
  needsSetupCode?: boolean;
  /** Code hosts to connect accounts of: their address, and whether the operator set up OAuth. Absent: it is not known. */
  integrations?: Record<'github' | 'gitlab', { oauth: boolean; url: string }>;
};

/** The address a browser opens for an app. */
export function publicUrlOf({ scheme, port }: ConsoleConfig['ingress'], domain: string): string {
  const isDefaultPort = port === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${domain}${isDefaultPort ? '' : `:${port}`}`;
}
