export type AppNetworks = { ip: string; ip6: string | undefined };

type Chain = { family: string; table: string; name: string; hook: string; rules: string[] };

/**
 * Packets of isolated programs also pass the firewall of the operator, which stays as it is. Returns a sentence and the command
 * that lets them pass. The host always reaches its programs: such packets are not forwarded.
 * `ruleset` is the output of `nft list ruleset`.
 */
export function firewallProblem(ruleset: string, networks: AppNetworks): string | undefined {
  const chains = parseChains(ruleset).filter(({ table }) => !table.startsWith('longshore_'));
  for (const chain of chains.filter(({ hook }) => hook.includes(' hook forward '))) {
    const network = chain.family === 'ip6' ? networks.ip6 : networks.ip;
    const sameTable = chains.filter(
      ({ family, table }) => family === chain.family && table === chain.table,
    );
    const rules = sameTable.flatMap((other) => other.rules);
    if (network === undefined || !endsInDrop(chain)) continue;
    if (rules.some((rule) => acceptsFrom(network, rule))) continue;
    return (
      `The firewall of this machine drops the packets of isolated apps (chain ${chain.name} of table ${chain.family} ` +
      `${chain.table}), so they reach neither the internet nor each other. To allow them, run: ` +
      permission(
        chain,
        sameTable.map(({ name }) => name),
        network,
      )
    );
  }
  return undefined;
}

/** Docker drops the packets of everybody else, and leaves this chain to the rules of others. */
export const DOCKER_CHAIN = 'DOCKER-USER';
const OWN_RULE = 'comment "longshore"';

/** Lets packets pass the firewall of Docker, which is not a decision of the operator. Input of `nft -f`; empty when they pass. */
export function dockerPermission(ruleset: string, networks: AppNetworks): string {
  return dockerChains(ruleset)
    .flatMap(({ family, table, rules }) => {
      const network = family === 'ip6' ? networks.ip6 : networks.ip;
      const isAllowed = network === undefined || rules.some((rule) => acceptsFrom(network, rule));
      const version = family === 'ip6' ? 'ip6' : 'ip';
      return isAllowed
        ? []
        : ['saddr', 'daddr'].map(
            (side) =>
              `insert rule ${family} ${table} ${DOCKER_CHAIN} ${version} ${side} ${network} accept ${OWN_RULE}\n`,
          );
    })
    .join('');
}

/** One command for each rule that `dockerPermission` added. `ruleset` is the output of `nft -a list ruleset`. */
export function dockerWithdrawal(ruleset: string): string[] {
  return dockerChains(ruleset).flatMap(({ family, table, rules }) =>
    rules
      .filter((rule) => rule.includes(OWN_RULE))
      .map((rule) => /# handle (\d+)$/.exec(rule)?.[1])
      .map((handle) => `delete rule ${family} ${table} ${DOCKER_CHAIN} handle ${handle}\n`),
  );
}

function dockerChains(ruleset: string): Chain[] {
  return parseChains(ruleset).filter(({ name }) => name === DOCKER_CHAIN);
}

function parseChains(ruleset: string): Chain[] {
  const chains: Chain[] = [];
  let [family, table] = ['', ''];
  for (const line of ruleset.split('\n').map((text) => text.trim())) {
    const [, kind, first = '', second = ''] =
      /^(table|chain) (\S+) (?:(\S+) )?\{(?: # handle \d+)?$/.exec(line) ?? [];
    const chain = chains.at(-1);
    if (kind === 'table') [family, table] = [first, second];
    else if (kind === 'chain') chains.push({ family, table, name: first, hook: '', rules: [] });
    else if (line.startsWith('type ') && line.includes(' hook ') && chain) chain.hook = line;
    else if (line !== '' && line !== '}') chain?.rules.push(line);
  }
  return chains;
}

/** By its policy, or by a last rule without a condition. */
function endsInDrop({ hook, rules }: Chain): boolean {
  const last = rules.at(-1) ?? '';
  return (
    hook.includes('policy drop') || /^(counter packets \d+ bytes \d+ )?(drop|reject)/.test(last)
  );
}

/** A rule for the whole network, as `permission` proposes it. Rules for parts of it do not help all programs. */
function acceptsFrom(network: string, rule: string): boolean {
  return rule.includes(` saddr ${network} `) && / accept\b/.test(rule);
}

function permission({ family, table, name }: Chain, known: string[], network: string): string {
  const iptables = family === 'ip6' ? 'ip6tables' : 'iptables';
  const insert = (chain: string) =>
    ['-s', '-d'].map((side) => `${iptables} -I ${chain} ${side} ${network} -j ACCEPT`).join(' && ');
  if (known.includes(DOCKER_CHAIN)) return insert(DOCKER_CHAIN);
  if (known.some((chain) => chain.startsWith('ufw'))) {
    return `ufw route allow from ${network} && ufw route allow to ${network}`;
  }
  if (table === 'firewalld') {
    return `firewall-cmd --permanent --zone=trusted --add-source=${network} && firewall-cmd --reload`;
  }
  if (table === 'filter' && name === 'FORWARD') return insert('FORWARD');
  const version = family === 'ip6' ? 'ip6' : 'ip';
  return ['saddr', 'daddr']
    .map(
      (side) => `nft insert rule ${family} ${table} ${name} ${version} ${side} ${network} accept`,
    )
    .join(' && ');
}
