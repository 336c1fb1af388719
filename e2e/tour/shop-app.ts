/** An app for the pictures: it builds, logs requests and responds with a page. */
export const SHOP_APP = {
  'package.json': JSON.stringify({
    name: 'shop',
    private: true,
    scripts: { build: 'node build.js', start: 'node server.js' },
  }),
  'build.js': `
    const parts = ['catalogue', 'basket', 'checkout', 'mail'];
    for (const [at, part] of parts.entries()) {
      console.log(\`[\${at + 1}/\${parts.length}] compiling \${part}\`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    }
    console.log('\\u001b[32mready\\u001b[0m: 4 parts, 61 kB');
  `,
  'server.js': `
    const http = require('node:http');
    const say = (colour, level, text) => console.log(\`\\u001b[\${colour}m\${level}\\u001b[0m \${text}\`);
    say(36, 'info ', \`shop \${process.env.SHOP_NAME ?? ''} is open on port \${process.env.PORT}\`);
    say(36, 'info ', 'connected to the warehouse in 38 ms');
    const paths = ['/', '/lamps', '/lamps/brass', '/ropes', '/basket', '/checkout'];
    let at = 0;
    const visit = () => {
      const path = paths[at % paths.length];
      at += 1;
      if (at % 11 === 0) say(33, 'warn ', \`slow answer: GET \${path} took 812 ms\`);
      else say(36, 'info ', \`GET \${path} 200 in \${7 + (at * 13) % 30} ms\`);
    };
    for (let line = 0; line < 40; line += 1) visit();
    setInterval(visit, 1500);
    http.createServer((_, response) => response.end('Open')).listen(process.env.PORT);
  `,
};
