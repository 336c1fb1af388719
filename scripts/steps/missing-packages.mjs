/**
 * Paths of packages that the lock file lists and npm's record of the last finished install lacks. Packages for other
 * platforms may be absent, and so may development tools unless they are needed.
 */
export function missingPackages(lock, installed, { development }) {
  return Object.entries(lock.packages)
    .filter(([path, wanted]) => path.includes('node_modules/') && !wanted.link)
    .filter(([, wanted]) => development || !wanted.dev)
    .filter(([path, wanted]) => !isSatisfied(wanted, installed.packages[path], development))
    .map(([path]) => path);
}

function isSatisfied(wanted, found, development) {
  if (found === undefined) return wanted.optional === true || isToolOnly(wanted, development);
  return found.version === wanted.version && found.integrity === wanted.integrity;
}

/** npm marks what both a tool and an optional peer ask for as `devOptional`. */
function isToolOnly({ devOptional }, development) {
  return devOptional === true && !development;
}

/** Whether the last install included development tools. */
export function hasDevelopmentTools(installed) {
  return Object.values(installed.packages).some(({ dev }) => dev === true);
}
