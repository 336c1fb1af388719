import type { SignUpMode } from './sign-up-mode.ts';
import type { Tier } from './tier.ts';

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
    /** Absent where the console cannot operate the backend. */
    operator?: string;
    /** Absent where source code cannot be uploaded. */
    apps?: string;
  };
  docsUrl: string;
  /** The URL of an app is `<scheme>://<domain>:<port>`, without the port when it is the scheme's default. */
  ingress: {
    scheme: 'http' | 'https';
    port: number;
    baseDomain: string;
    publicIp: string;
    /** The port of hosts that have a certificate. Absent: no HTTPS. */
    httpsPort?: number;
  };
  /** Which engine runs apps, and whether `file://` sources are allowed. */
  engine: 'process' | 'docker' | 'kubernetes';
  /** Whether the apps of a project reach each other by name, so that a new name restarts an app. */
  hasProjectNetwork: boolean;
  allowLocalSources: boolean;
  /** The sizes that an app can get, smallest first. Absent: only the default one, of unknown size. */
  tiers?: Tier[];
  providers: { github: boolean; gitlab: boolean };
  /** Whether the first account must be created with the set-up code from the terminal. Absent: false. */
  needsSetupCode?: boolean;
  /** Who may sign up. Absent: everybody. */
  signUp?: SignUpMode;
  /** Code hosts: their URL, and whether the operator configured OAuth. Absent: unknown. */
  integrations?: Record<'github' | 'gitlab', { oauth: boolean; url: string }>;
};

/** The URL of an app. `hasCertificate`: of this domain. */
export function publicUrlOf(
  ingress: ConsoleConfig['ingress'],
  domain: string,
  hasCertificate = false,
): string {
  const isSecure = hasCertificate && ingress.httpsPort !== undefined;
  const { scheme, port = 443 } = isSecure ? { scheme: 'https', port: ingress.httpsPort } : ingress;
  const isDefaultPort = port === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${domain}${isDefaultPort ? '' : `:${port}`}`;
}
