import './styles/console.css';
import { createBrowserClient } from '@longshore/client';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import { Gate } from './app/gate-view.tsx';
import { StartFailed } from './app/start-failed.tsx';
import { loadConfig } from './lib/load-config.ts';
import { createPageLocation } from './lib/page-location.tsx';
import { createToastQueue } from './ui/toast/toast-queue.ts';

const CONFIG_TIMEOUT_MS = 10_000;

const root = createRoot(document.getElementById('root') as HTMLElement);

void start();

async function start(): Promise<void> {
  try {
    const { config, aheadMs } = await loadConfig(
      location.origin,
      AbortSignal.timeout(CONFIG_TIMEOUT_MS),
    );
    root.render(
      <Console
        environment={{
          config,
          client: createBrowserClient(config.services, logError),
          now: () => Date.now() + aheadMs,
        }}
        toasts={createToastQueue()}
        location={createPageLocation(window)}
      >
        <Gate />
      </Console>,
    );
  } catch {
    root.render(<StartFailed onRetry={() => void start()} />);
  }
}

function logError(event: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the browser console is the only log of a page.
  console.error(event, error);
}
