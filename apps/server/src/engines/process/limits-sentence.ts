/** Which limits hold here, for the operator. */
export function limitsSentence(machine: {
  hasGroups: boolean;
  hasOwnIdentities: boolean;
  hasPrlimit: boolean;
}): string {
  const { hasGroups, hasOwnIdentities, hasPrlimit } = machine;
  if (hasGroups) return 'Apps are limited in memory, CPU and processes by control groups';
  const lacking = 'This machine gives us no control groups: apps are not limited in CPU';
  if (!hasPrlimit) return `${lacking}, memory and processes`;
  return hasOwnIdentities
    ? `${lacking}, and in memory and processes only roughly`
    : `${lacking} and processes, and in memory only roughly`;
}
