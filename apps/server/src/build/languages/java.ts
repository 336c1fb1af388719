import type { Argv, Checkout, Finding, StartCommand, Tool, WebCommand } from '../build-plan.ts';

/** The property that sets the port, by a word that names the framework in the build file. */
const FRAMEWORKS: Record<string, string> = {
  'spring-boot': 'server.port',
  'org.springframework.boot': 'server.port',
  quarkus: 'quarkus.http.port',
  micronaut: 'micronaut.server.port',
  javalin: 'port',
};
const BUILDS: { file: string; wrapper: string; tool: Tool; jars: string; args: string[] }[] = [
  {
    file: 'pom.xml',
    wrapper: 'mvnw',
    tool: 'mvn',
    jars: 'target',
    args: ['--batch-mode', '-DskipTests', 'package'],
  },
  ...['build.gradle', 'build.gradle.kts'].map((file) => ({
    file,
    wrapper: 'gradlew',
    tool: 'gradle' as const,
    jars: 'build/libs',
    args: ['--no-daemon', 'assemble'],
  })),
];

/** A web framework in a project of Maven or Gradle. */
export function detectJava({ files, texts }: Checkout, web: WebCommand | undefined): Finding {
  const found = BUILDS.find(({ file }) => texts[file] !== undefined);
  if (found === undefined)
    return { kind: 'lacks', sentence: 'There is no pom.xml or build.gradle' };
  const { file, wrapper, tool, jars, args } = found;
  const framework = Object.keys(FRAMEWORKS).find((word) => texts[file]?.includes(word));
  const start = web?.command ?? (framework && startOf(framework, jars));
  if (start === undefined || start === '') {
    const sentence = `${file} names no web framework: enter a start command such as java -jar ${jars}/shop.jar`;
    return { kind: 'lacks', sentence };
  }
  const hasWrapper = files.includes(wrapper);
  const argv: Argv = hasWrapper ? ['/bin/sh', wrapper, ...args] : [tool, ...args];
  return {
    kind: 'plan',
    plan: {
      runtime: tool === 'mvn' ? 'maven' : 'gradle',
      evidence: [`Found ${file}: building with ${hasWrapper ? wrapper : tool}`],
      tools: hasWrapper ? ['java'] : ['java', tool],
      env: {},
      path: [],
      steps: [
        { kind: 'build', label: [argv[0] === tool ? tool : wrapper, ...args].join(' '), argv },
      ],
      start,
    },
  };
}

/** The name of the jar contains a version, so a shell finds it. */
function startOf(framework: string, jars: string): StartCommand {
  const options = `-D${FRAMEWORKS[framework]}="$PORT" -XX:MaxRAMPercentage=70`;
  const find = `find ${jars} -maxdepth 1 -name '*.jar' ! -name '*-plain.jar' ! -name '*-sources.jar'`;
  const jar =
    framework === 'quarkus'
      ? `${jars.split('/')[0]}/quarkus-app/quarkus-run.jar`
      : `"$(${find} | head -n 1)"`;
  return { kind: 'command', argv: ['/bin/sh', '-c', `exec java ${options} -jar ${jar}`], env: {} };
}
