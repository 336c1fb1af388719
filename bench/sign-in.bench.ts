import { availableParallelism } from 'node:os';
import { PASSWORD } from './support/bench-user.ts';
import { emailOf, signInsOf, signUpMany } from './support/bench-users.ts';
import { runBenchmark } from './support/benchmark.ts';
import { benchmarkFolder } from './support/benchmark-folder.ts';
import { compareRates } from './support/compare-rates.ts';
import { perSecond, startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import { passwordHashOf } from './support/password-hash.ts';
import { startRawArgon2 } from './support/raw-argon2.ts';

const USERS = 16;
const ROUNDS = 7;
const ROUND_MS = 5_000;
const MIN_RATIO = 0.9;

await runBenchmark('sign-in', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const users = await signUpMany(longshore.url, USERS);
  const load = await startLoad(
    { port: longshore.port, clients: signInsOf(users), pauseMs: 0 },
    scope,
  );
  const threads = availableParallelism();
  const passwordHash = await passwordHashOf(longshore.pid, emailOf(0));
  const raw = await startRawArgon2({ threads, passwordHash, password: PASSWORD }, scope);

  const { value, baseline } = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: async (forMs) => perSecond(await load.run(forMs)),
    baseline: (forMs) => raw.run(forMs),
  });
  return [
    {
      name: 'sign-ins with email and password',
      unit: '/s',
      value,
      baseline: { name: `the same hash verified on ${threads} threads`, value: baseline },
      minRatio: MIN_RATIO,
    },
  ];
});
