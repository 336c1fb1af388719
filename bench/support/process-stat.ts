export type ProcessStat = { name: string; parent: number; cpuTicks: number };

/** Reads `/proc/<pid>/stat`. The name is in parentheses and may contain some. */
export function parseStat(text: string): ProcessStat {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
  };
}
