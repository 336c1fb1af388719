/** Spec §8, Registry authentication failure; the same words for whatever else is signed in to. */
export const AUTHENTICATION_FAILED = 'Authentication failed. Please check your credentials.';
