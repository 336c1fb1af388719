/** Git refuses repositories of other users unless told; the operator told us. */
export const LOCAL_GIT_CONFIG = '[safe]\n\tdirectory = *\n';
