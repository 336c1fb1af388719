/** Which limits hold here, for the operator. */
export function limitsSentence(machine: {
  hasGroups: boolean;
  hasOwnIdentities: boolean;
  hasPrlimit: boolean;
}): string {
  const { hasGroups, hasOwnIdentities, hasPrlimit } = machine;
  if (hasGroups) return 'Apps are limited in memory, CPU and processes by control groups';
  const prefix = 'No control groups available:';
  if (!hasPrlimit) return `${prefix} CPU, memory and processes of apps are not limited`;
  return hasOwnIdentities
    ? `${prefix} CPU of apps is not limited, memory and processes only approximately`
    : `${prefix} CPU and processes of apps are not limited, memory only approximately`;
}
