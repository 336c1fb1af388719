/** One line. `suffix`: of the name, for the parts of a histogram. `labels`: see `labelText`. */
export type Sample = { suffix?: string; labels?: string; value: number };

/** All samples of one name. */
export type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
};

/** What Prometheus expects as the type of the text. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The text format of Prometheus. A family without samples is left out. */
export function prometheusText(families: Family[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
    for (const sample of samples) text += line(name, sample);
  }
  return text;
}

/** Made once for all lines that have them: there are many lines for each app. */
export function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return pairs.join(',');
}

function line(name: string, { suffix = '', labels, value }: Sample): string {
  const set = labels === undefined ? '' : `{${labels}}`;
  return `${name}${suffix}${set} ${numberText(value)}\n`;
}

const SPECIAL = /[\\"\n]/;

/** Names of apps are texts of users. Few need it. */
function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
