/** A web app that prints numbered lines at a constant rate. It logs the path of each request. */
export function constantLogApp(linesPerSecond: number): Record<string, string> {
  return {
    'package.json': JSON.stringify({
      name: 'constant-log',
      private: true,
      scripts: { start: 'node server.js' },
    }),
    'server.js': `
      const { writeSync } = require('node:fs');
      const padding = 'x'.repeat(90);
      const startedAt = performance.now();
      let printed = 0;
      setInterval(() => {
        const due = ((performance.now() - startedAt) / 1000) * ${linesPerSecond};
        let text = '';
        while (printed < due) text += \`\${++printed} \${padding}\\n\`;
        if (text !== '') writeSync(1, text);
      }, 20);
      require('node:http')
        .createServer((request, response) => {
          console.log(request.url);
          response.end(JSON.stringify({ pid: process.pid }));
        })
        .listen(Number(process.env.PORT));
    `,
  };
}
