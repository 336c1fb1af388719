import type { DockerBench } from '@longshore/server/testing/docker-engine';

type DockerApi = DockerBench['daemon']['api'];

/** The parts of a build in their order. `builder`: until it is ready. `read`: manifest and configuration of the image. */
export const PHASES = ['builder', 'context', 'build', 'read', 'load', 'clean up'] as const;
export type Phase = (typeof PHASES)[number];
export type PhaseTimes = Record<Phase, number>;

export type PhaseRecorder = {
  /** Passes everything on to the Engine. */
  docker: DockerApi;
  begin(): void;
  /** Milliseconds of each phase since `begin`. */
  end(): PhaseTimes;
};

/** Recognizes the phases of one build at a time by what the server asks of Docker. */
export function recordPhases(docker: DockerApi): PhaseRecorder {
  let current: Phase = 'builder';
  let since = 0;
  let times = noTimes();

  function leave(): void {
    const now = performance.now();
    times[current] += now - since;
    since = now;
  }

  function enter(phase: Phase | undefined): void {
    if (phase === undefined || PHASES.indexOf(phase) <= PHASES.indexOf(current)) return;
    leave();
    current = phase;
  }

  return {
    docker: {
      ...docker,
      call: async (method, path, options) => {
        if (path.endsWith('/exec')) enter(phaseOf((options.body as { Cmd: string[] }).Cmd));
        // Another thread copies the image, after a look at the images that the Engine has.
        if (path === '/images/json' && current === 'read') enter('load');
        return await docker.call(method, path, options);
      },
    },
    begin() {
      current = 'builder';
      since = performance.now();
      times = noTimes();
    },
    end() {
      leave();
      return times;
    },
  };
}

function noTimes(): PhaseTimes {
  return Object.fromEntries(PHASES.map((phase) => [phase, 0])) as PhaseTimes;
}

/** Programs in the builder. Removing comes first and last. */
function phaseOf([program, subcommand]: string[]): Phase | undefined {
  if (program === 'buildctl') return subcommand === 'build' ? 'build' : undefined;
  if (program === 'rm' || program === 'mkdir' || program === 'tar') return 'context';
  if (program === 'cat') return 'read';
  return program === 'ls' ? 'clean up' : undefined;
}
