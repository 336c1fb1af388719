import { availableParallelism } from 'node:os';
import { runBenchmark } from './support/benchmark.ts';
import { compareRates } from './support/compare-rates.ts';
import { benchmarkFolder } from './support/folder.ts';
import { perSecond, startLoad } from './support/load/start-load.ts';
import { startLongshore } from './support/longshore.ts';
import { passwordHashOf } from './support/password-hash.ts';
import { emailOf, signInsOf, signUpMany } from './support/people.ts';
import { PASSWORD } from './support/person.ts';
import { startRawArgon2 } from './support/raw-argon2.ts';

const PEOPLE = 16;
const ROUNDS = 7;
const ROUND_MS = 5_000;
const LEAST_SHARE = 0.9;

await runBenchmark('sign-in', async (scope) => {
  const env = { LONGSHORE_RATE_LIMITS: 'false' };
  const longshore = await startLongshore(await benchmarkFolder(scope), scope, env);
  const people = await signUpMany(longshore.url, PEOPLE);
  const load = await startLoad(
    { port: longshore.port, callers: signInsOf(people), pauseMs: 0 },
    scope,
  );
  const threads = availableParallelism();
  const passwordHash = await passwordHashOf(longshore.pid, emailOf(0));
  const raw = await startRawArgon2({ threads, passwordHash, password: PASSWORD }, scope);

  const { value, floor } = await compareRates({
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    measured: async (forMs) => perSecond(await load.run(forMs)),
    floor: (forMs) => raw.run(forMs),
  });
  return [
    {
      name: 'sign-ins with email and password',
      unit: '/s',
      value,
      floor: { name: `the same hash verified on ${threads} threads`, value: floor },
      leastShare: LEAST_SHARE,
    },
  ];
});
