/** Texts of the sign-up page alone, so that the login page does not load them. */
export const MESSAGES = {
  closed: 'Sign-up is closed on this installation. Ask its operator for an account.',
  invite: 'You need an invitation to sign up. Ask the operator of this installation for one.',
  domains: 'Only email addresses of some domains can sign up. You verify yours before you sign in.',
  invited: 'You are invited to this installation. The invitation is for this email address only.',
} as const;
