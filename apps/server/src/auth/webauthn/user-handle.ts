/** Whether a handle names the user. Wire §3.13: the UUID comes back plain, or its bytes as base64url. */
export function matchesUserHandle(userHandle: string, userId: string): boolean {
  return userHandle === userId || userHandle === Buffer.from(userId).toString('base64url');
}
