export type Credentials = { username: string; password: string };

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i;
/** Usernames and passwords of 255 characters fit in. */
const MAX_HEADER_LENGTH = 3_000;

/** The credentials of an Authorization header for basic authentication (RFC 7617), in UTF-8. */
export function credentialsOf(authorization: string | undefined): Credentials | undefined {
  if (authorization === undefined || authorization.length > MAX_HEADER_LENGTH) return undefined;
  const [, encoded] = BASIC.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
