/**
 * What a lock file asks for and npm's own note of the last finished install does not have. Packages that suit only other
 * machines may be absent.
 */
export function missingPackages(lock, installed) {
  return Object.entries(lock.packages)
    .filter(([path, wanted]) => path.includes('node_modules/') && !wanted.link)
    .filter(([path, wanted]) => !isSatisfied(wanted, installed.packages[path]))
    .map(([path]) => path);
}

function isSatisfied(wanted, found) {
  if (found === undefined) return wanted.optional === true;
  return found.version === wanted.version && found.integrity === wanted.integrity;
}
