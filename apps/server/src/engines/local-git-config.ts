/**
 * Git refuses repositories of other users by default, but the operator has allowed local sources. The other settings keep the
 * program that packs the objects within the memory limit of git.
 */
export const LOCAL_GIT_CONFIG = `[safe]
\tdirectory = *
[core]
\tbigFileThreshold = 16m
[pack]
\twindowMemory = 64m
\tthreads = 1
`;
