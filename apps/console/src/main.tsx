import './styles/console.css';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import { Gate } from './app/gate-view.tsx';
import { StartFailed } from './app/start-failed.tsx';
import { createBrowserBackend } from './backend/browser-backend.ts';
import { loadConfig } from './lib/load-config.ts';
import { createPageLocation } from './lib/page-location.tsx';
import { createToastQueue } from './ui/toast/toast-queue.ts';

const CONFIG_DEADLINE_MS = 10_000;

const root = createRoot(document.getElementById('root') as HTMLElement);

void start();

async function start(): Promise<void> {
  try {
    const { config, aheadMs } = await loadConfig(
      location.origin,
      AbortSignal.timeout(CONFIG_DEADLINE_MS),
    );
    root.render(
      <Console
        backend={createBrowserBackend(config, () => Date.now() + aheadMs)}
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
