/** Titles and toasts are exact (spec-map 2.3–2.6, 5.2 and 8.3). */
export const MESSAGES = {
  signIn: {
    title: 'Sign in to Longshore',
    action: 'Sign In',
    withKey: 'Use a passkey',
    forgot: 'Forgot password?',
    newHere: 'New here?',
    toSignUp: 'Create an account',
  },
  signUp: {
    title: 'Create your account',
    action: 'Sign Up',
    hasAccount: 'Already have an account?',
    toSignIn: 'Sign in',
  },
  firstStart: { text: 'This installation has no account yet.', action: 'Create the first one' },
  setupCode: {
    label: 'Set-up code',
    hint: 'Shown in the terminal where Longshore was started.',
  },
  email: 'Email',
  password: 'Password',
  confirmation: 'Confirm Password',
  needsVerification: { title: 'Verify your email', text: 'Please verify your email' },
  signedIn: { title: 'Welcome back!', text: 'You have been logged in successfully' },
  signedUp: { title: 'Success', text: 'Your account has been created' },
  signInFailed: 'Authentication Error',
  signUpFailed: 'Registration Error',
  otpNeeded: 'This account needs the one-time code that we sent you.',
  passwordMismatch: { title: 'Password Error', text: 'Passwords do not match' },
  emailMissing: { title: 'Error', text: 'Please enter your email address' },
  verifyEmail: {
    title: 'Verify Your Email',
    text: 'We have sent a verification link to your email address. Please check your inbox, and your spam folder too.',
    resend: 'Resend Verification Email',
  },
  resetPassword: {
    title: 'Reset Your Password',
    text: 'Enter your email address and we will send you a link to choose a new password.',
    action: 'Send Reset Link',
    hint: 'No email? Check your spam folder too.',
  },
  verificationSent: {
    title: 'Verification Email Resent',
    text: (email: string) => `A new verification link has been sent to ${email}`,
    failed: 'Failed to send verification email',
  },
  resetSent: {
    title: 'Password Reset Email Sent',
    text: (email: string) =>
      `We've sent a password reset link to ${email}. Please check your inbox.`,
    failed: 'Failed to send password reset email',
  },
  error: 'Error',
  backToLogin: 'Back to Login',
} as const;
