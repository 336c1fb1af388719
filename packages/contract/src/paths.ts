/** Paths of the services below one origin. The second of a pair is the form nhost-js 4 needs. */
export const SERVICE_PATHS = {
  auth: ['/v1/auth', '/auth/v1'],
  graphql: ['/v1/graphql'],
  storage: ['/v1/storage', '/storage/v1'],
  functions: ['/v1/functions', '/functions/v1'],
  connect: ['/v1/connect'],
  logs: ['/v1/logs'],
  domains: ['/v1/domains'],
  usage: ['/v1/usage'],
  isolation: ['/v1/isolation'],
  operator: ['/v1/operator'],
  apps: ['/v1/apps'],
} as const;

/** Paths of the auth service, relative to it. */
export const AUTH_PATHS = {
  signUpEmailPassword: '/signup/email-password',
  signInEmailPassword: '/signin/email-password',
  signUpWebauthn: '/signup/webauthn',
  signUpWebauthnVerify: '/signup/webauthn/verify',
  signInWebauthn: '/signin/webauthn',
  signInWebauthnVerify: '/signin/webauthn/verify',
  addSecurityKey: '/user/webauthn/add',
  addSecurityKeyVerify: '/user/webauthn/verify',
  elevateWebauthn: '/elevate/webauthn',
  elevateWebauthnVerify: '/elevate/webauthn/verify',
  /** Not in the specification: proofs of identity in a session. */
  proofStatus: '/elevate',
  elevatePassword: '/elevate/password',
  elevateTotp: '/elevate/totp',
  elevateOtpEmail: '/elevate/otp/email',
  elevateOtpEmailVerify: '/elevate/otp/email/verify',
  securityKeys: '/user/security-keys',
  securityKey: '/user/security-keys/:id',
  signInAnonymous: '/signin/anonymous',
  deanonymize: '/user/deanonymize',
  createPat: '/pat',
  signInPat: '/signin/pat',
  generateTotp: '/mfa/totp/generate',
  changeMfa: '/user/mfa',
  signInMfaTotp: '/signin/mfa/totp',
  signInOtpEmail: '/signin/otp/email',
  signUpOtpEmail: '/signup/otp/email',
  signInOtpEmailVerify: '/signin/otp/email/verify',
  signInPasswordlessSms: '/signin/passwordless/sms',
  signUpPasswordlessSms: '/signup/passwordless/sms',
  signInPasswordlessSmsOtp: '/signin/passwordless/sms/otp',
  signInPasswordlessEmail: '/signin/passwordless/email',
  signUpPasswordlessEmail: '/signup/passwordless/email',
  verify: '/verify',
  changePassword: '/user/password',
  resetPassword: '/user/password/reset',
  changeEmail: '/user/email/change',
  sendVerificationEmail: '/user/email/send-verification-email',
  signInProvider: '/signin/provider/:provider',
  signUpProvider: '/signup/provider/:provider',
  signInProviderCallback: '/signin/provider/:provider/callback',
  providerTokens: '/signin/provider/:provider/callback/tokens',
  refreshProviderTokens: '/token/provider/:provider',
  signInIdToken: '/signin/idtoken',
  signUpIdToken: '/signup/idtoken',
  linkIdToken: '/link/idtoken',
  token: '/token',
  verifyToken: '/token/verify',
  tokenExchange: '/token/exchange',
  signOut: '/signout',
  user: '/user',
  /** Not in the specification: recovery codes, active sessions, personal access tokens and security events. */
  recoveryCodes: '/mfa/recovery-codes',
  generateRecoveryCodes: '/mfa/recovery-codes/generate',
  sessions: '/sessions',
  session: '/sessions/:id',
  pats: '/personal-access-tokens',
  pat: '/personal-access-tokens/:id',
  events: '/events',
  jwks: '/.well-known/jwks.json',
  health: '/healthz',
  version: '/version',
} as const;

/** Paths of the integrations service, relative to it. */
export const CONNECT_PATHS = {
  connectDockerHub: '/auth/dockerhub',
  connectRegistry: '/auth/registry',
  connectToken: '/auth/token',
  oauthTickets: '/oauth/tickets',
  oauthLogin: '/oauth/:provider/login',
  oauthCallback: '/oauth/public/:provider/callback',
  integration: '/integrations/:id',
  repositories: '/integrations/:id/repositories',
  validateRepository: '/integrations/:id/validate-repository',
  branches: '/integrations/:id/repositories/:repo/branches',
  refs: '/integrations/:id/repositories/:repo/branches/:branch/refs',
  tags: '/integrations/:id/repositories/:repo/tags',
  hook: '/hooks/:hookId',
  webhook: '/apps/:appId/webhook',
  deliveries: '/apps/:appId/deliveries',
  replayDelivery: '/apps/:appId/deliveries/:id/replay',
  deployHook: '/apps/:appId/deploy-hook',
  /** With its secret as the parameter `key`. Paths are logged, parameters are not. */
  callDeployHook: '/deploy-hooks/:appId',
} as const;

/** Paths of the upload of source code, relative to the service of apps. */
export const UPLOAD_PATHS = { source: '/:id/source', sample: '/:id/sample' } as const;

/** Routes of the console (spec-map group 2). */
export const ROUTES = {
  login: '/login',
  signup: '/signup',
  verifyEmail: '/verify-email',
  forgotPassword: '/forgot-password',
  dashboard: '/dashboard',
  projects: '/dashboard/projects',
  integrations: '/dashboard/integrations',
  profile: '/dashboard/user/profile',
  /** Not in the specification. */
  security: '/dashboard/user/security',
  operator: '/dashboard/operator',
  newPassword: '/dashboard/user/profile?change-password',
  project: (projectId: string) => `/dashboard/projects/${projectId}`,
  app: (projectId: string, appId: string) => `/dashboard/projects/${projectId}/apps/${appId}`,
} as const;

type ParametersIn<Path extends string> = Path extends `${string}:${infer Parameter}/${infer Rest}`
  ? Parameter | ParametersIn<`/${Rest}`>
  : Path extends `${string}:${infer Parameter}`
    ? Parameter
    : never;

/** A path with its parameters filled in. Each is one path segment: slashes in a value are encoded. */
export function connectPath<Name extends keyof typeof CONNECT_PATHS>(
  name: Name,
  parameters: Record<ParametersIn<(typeof CONNECT_PATHS)[Name]>, string>,
): string {
  const values: Record<string, string> = parameters;
  return CONNECT_PATHS[name].replace(/:(\w+)/g, (_, key) => encodeURIComponent(values[key] ?? ''));
}
