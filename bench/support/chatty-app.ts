/** A web app that prints so many lines at such a rate as it is asked for: `/say?lines=100000&rate=5000`. */
export const CHATTY_APP = {
  'package.json': JSON.stringify({
    name: 'chatty',
    private: true,
    scripts: { start: 'node server.js' },
  }),
  'server.js': `
    const TICK_MS = 10;
    let said = 0;
    const line = () => \`\\u001b[36minfo\\u001b[0m request \${(said += 1)} GET /lamps/brass 200 in \${said % 97} ms\\n\`;
    require('node:http')
      .createServer(async (request, response) => {
        const asked = new URL(request.url, 'http://localhost').searchParams;
        const lines = Number(asked.get('lines') ?? 0);
        const each = Math.max(1, Math.round(Number(asked.get('rate') ?? 20000) / 1000 * TICK_MS));
        for (let left = lines; left > 0; left -= each) {
          let text = '';
          for (let at = 0; at < Math.min(each, left); at += 1) text += line();
          process.stdout.write(text);
          await new Promise((resolve) => setTimeout(resolve, TICK_MS));
        }
        response.end(String(said));
      })
      .listen(process.env.PORT);
  `,
};
