/** Spec §6: the bearer token, or without one the role `public`. */
export function bearerOrPublic(accessToken: string | undefined): Record<string, string> {
  return accessToken === undefined
    ? { role: 'public' }
    : { Authorization: `Bearer ${accessToken}` };
}
