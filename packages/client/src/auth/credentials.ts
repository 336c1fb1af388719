export type Credentials = { email: string; password: string };

export type SignUpRequest = Credentials & {
  options?: SignUpOptions;
  /** Of an installation that has no account yet, as its terminal shows it. */
  setupCode?: string;
};

export type SignUpOptions = {
  displayName?: string;
  locale?: string;
  allowedRoles?: string[];
  defaultRole?: string;
  metadata?: Record<string, unknown>;
  /** A path is resolved against the console's own origin. Spec §7. */
  redirectTo?: string;
};
