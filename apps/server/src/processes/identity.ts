/** Whom a child process runs as. Only root can choose. */
export type Identity = { uid: number; gid: number };
