import { formatLogLine, type LogFilter, withoutAnsi } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';

/** Lines of a downloaded file: `time [name]: text`, without colours. */
export function encodeDownload(records: LogRecord[]): Uint8Array {
  return Buffer.from(records.map((record) => `${downloadLine(record)}\n`).join(''));
}

function downloadLine({ at, name, text }: LogRecord): string {
  return `${new Date(at).toISOString()} ${formatLogLine({ name, text: withoutAnsi(text) })}`;
}

/** Says which lines the file holds and when they were downloaded, such as `app-3f2a91-build-7-2026-01-31T09-30-00Z.log`. */
export function downloadName(
  { appId, kind, release, text }: LogFilter & { appId: string },
  now: number,
): string {
  const parts = [
    `app-${appId.slice(0, 6)}`,
    release === undefined ? kind && `${kind}-only` : `build-${release}`,
    text === undefined ? undefined : 'search',
    `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`,
  ];
  return `${parts.filter((part) => part !== undefined).join('-')}.log`;
}

/** Whether the value of an Accept-Encoding header allows gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((entry) => {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
