/** Where the services live below one origin. The second of a pair is the form nhost-js 4 needs. */
export const SERVICE_PATHS = {
  auth: ['/v1/auth', '/auth/v1'],
  graphql: ['/v1/graphql'],
  storage: ['/v1/storage', '/storage/v1'],
  functions: ['/v1/functions', '/functions/v1'],
  connect: ['/v1/connect'],
  logs: ['/v1/logs'],
} as const;

/** Auth paths, relative to the service. Spec §7. */
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
  securityKeys: '/user/security-keys',
  token: '/token',
  signOut: '/signout',
  user: '/user',
  jwks: '/.well-known/jwks.json',
  health: '/healthz',
  version: '/version',
} as const;

/** Console routes. Spec §2. */
export const ROUTES = {
  login: '/login',
  signup: '/signup',
  verifyEmail: '/verify-email',
  forgotPassword: '/forgot-password',
  dashboard: '/dashboard',
  projects: '/dashboard/projects',
  integrations: '/dashboard/integrations',
  profile: '/dashboard/user/profile',
  project: (projectId: string) => `/dashboard/projects/${projectId}`,
  app: (projectId: string, appId: string) => `/dashboard/projects/${projectId}/apps/${appId}`,
} as const;
