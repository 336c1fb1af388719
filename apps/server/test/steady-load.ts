import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** How many requests were answered in which way: by `status body`, or by the error. */
export type SteadyLoad = {
  answers: Map<string, number>;
  /** Sends no more, and resolves when everything that was sent is over. */
  stop(): Promise<void>;
};

type LoadOptions = { port: number; host: string; perSecond: number };

const TICK_MS = 5;
/** A machine that cannot keep up gets less, not an avalanche. */
const MAX_UNDER_WAY = 64;
const METHODS = ['GET', 'POST', 'GET', 'PUT'] as const;

/** Sends so many requests a second, whether or not those before are answered; half of them on kept connections. */
export function startSteadyLoad({ port, host, perSecond }: LoadOptions): SteadyLoad {
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const begunAt = performance.now();
  let sent = 0;

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begunAt) / 1_000) * perSecond);
    for (; sent < due; sent += 1) if (underWay.size < MAX_UNDER_WAY) send(sent);
  }, TICK_MS);

  function send(number: number): void {
    const asked = ask(number).then(count, (error: Error) => count(error.message));
    underWay.add(asked);
    void asked.finally(() => underWay.delete(asked));
  }

  function count(answer: string): void {
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }

  async function ask(number: number): Promise<string> {
    const method = METHODS[number % METHODS.length] ?? 'GET';
    const headers = { Host: host };
    const keptOrNot = number % 8 < 4 ? { agent } : { agent: false as const };
    const outgoing = request({ host: '127.0.0.1', port, method, headers, ...keptOrNot });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject);
    });
    outgoing.end(method === 'GET' ? undefined : `request ${number}`);
    const incoming = await answered;
    return `${incoming.statusCode} ${await text(incoming)}`;
  }

  return {
    answers,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}
