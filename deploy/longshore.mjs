/** Starts a program of the container image: `server` or `edge`. */
const PROGRAMS = {
  server: './apps/server/dist/main.mjs',
  edge: './apps/edge/dist/container.mjs',
};

const [, , name = 'server', ...args] = process.argv;
const program = PROGRAMS[name];
if (program === undefined) {
  process.stderr.write(
    `There is no program "${name}". Choose ${Object.keys(PROGRAMS).join(' or ')}.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import(program);
  await main(args);
}
