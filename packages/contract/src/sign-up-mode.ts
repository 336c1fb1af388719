/** Who may create an account: everybody, nobody, invited addresses, or addresses of some domains. */
export const SIGN_UP_MODES = ['open', 'closed', 'invite', 'domains'] as const;

export type SignUpMode = (typeof SIGN_UP_MODES)[number];
