/** Whom a child process runs as. Only root can choose. */
export type Identity = { uid: number; gid: number };

/** The account called nobody, on every Linux. */
export const NOBODY = 65_534;
