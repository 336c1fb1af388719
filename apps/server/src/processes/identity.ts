/** The user and group that a child process runs as. Only root can choose them. */
export type Identity = { uid: number; gid: number };

/** The uid of the user `nobody` on Linux. */
export const NOBODY = 65_534;
