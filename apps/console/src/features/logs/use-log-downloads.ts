import type { AppRef } from '@longshore/client';
import type { LogFilter } from '@longshore/contract';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { saveFile } from '../../lib/download-text.ts';
import type { MenuChoice } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { downloadLines } from './download-lines.ts';
import { filterOf } from './log-reader.ts';
import { MESSAGES } from './messages.ts';
import { linesOf } from './model/line-list.ts';
import type { LogWindow } from './model/log-window.ts';

/** The entries of the download menu: the loaded lines, or lines that the server keeps. */
export function useLogDownloads(
  { projectId, appId }: AppRef,
  { lines, selection, isNumbered }: LogWindow,
  search: string,
): { choices: MenuChoice[]; isDownloading: boolean } {
  const { logs } = useServices();
  const toast = useToast();
  const [isDownloading, setDownloading] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function download(filter: LogFilter): Promise<void> {
    running.current?.abort();
    const current = new AbortController();
    running.current = current;
    setDownloading(true);
    const file = await logs.download({ projectId, appId, ...filter }, { signal: current.signal });
    if (current.signal.aborted) return;
    setDownloading(false);
    if (file.ok) saveFile(file.data.content, file.data.name);
    else toast({ tone: 'bad', title: MESSAGES.downloadFailed, text: file.error.message });
  }

  const filter = filterOf(selection);
  const { kind, from, to } = filter;
  const isAccess = kind === 'access';
  const isWhole = (kind === undefined || isAccess) && from === undefined && to === undefined;
  const loaded = {
    label: MESSAGES.downloadLoaded,
    onChoose: () => downloadLines(linesOf(lines), `${appId}${isAccess ? '-access' : ''}.log`),
  };
  if (!isNumbered) return { choices: [loaded], isDownloading };
  const all = {
    label: isWhole ? MESSAGES.downloadAll : MESSAGES.downloadFiltered,
    onChoose: () => void download(filter),
  };
  const matching = {
    label: MESSAGES.downloadMatches,
    onChoose: () => void download({ ...filter, text: search }),
  };
  return { choices: search === '' ? [loaded, all] : [loaded, all, matching], isDownloading };
}
