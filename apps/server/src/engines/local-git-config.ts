/** Git refuses repositories of other users by default. The operator has allowed local sources. */
export const LOCAL_GIT_CONFIG = '[safe]\n\tdirectory = *\n';
