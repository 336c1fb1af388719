import { expect, it } from 'vitest';
import { dockerPermission, dockerWithdrawal, firewallProblem } from './firewall.ts';

const networks = { ip: '10.213.0.0/16', ip6: 'fd5c:9a27:e1b4:213::/96' };

const OPEN = `table ip filter {
	chain FORWARD {
		type filter hook forward priority filter; policy accept;
	}
	chain INPUT {
		type filter hook input priority filter; policy drop;
	}
}
table inet longshore_abc123 {
	chain passing {
		type filter hook forward priority filter; policy accept;
		drop
	}
}`;

const docker = (rule: string) => `table ip filter {
	chain FORWARD {
		type filter hook forward priority filter; policy drop;
		counter packets 0 bytes 0 jump DOCKER-USER
	}

	chain DOCKER-USER {
		${rule}
		counter packets 265 bytes 20572 return
	}
}`;

const last = (
  family: string,
  table: string,
  chain: string,
  rule: string,
) => `table ${family} ${table} {
	chain ${chain} {
		type filter hook forward priority filter; policy accept;
		ct state established,related accept
		${rule}
	}
}`;

it.each([
  ['nothing', ''],
  ['chains that accept', OPEN],
  [
    'Docker with a rule of the operator',
    docker('ip saddr 10.213.0.0/16 counter packets 0 bytes 0 accept'),
  ],
  ['a drop with a condition', last('inet', 'own', 'fwd', 'iifname "eth1" drop')],
  ['a drop in a chain of another family', last('bridge', 'own', 'forward', 'accept')],
])('finds no problem in %s', (_, ruleset) => {
  expect(firewallProblem(ruleset, networks)).toBeUndefined();
});

it.each([
  [
    'Docker',
    docker(''),
    'iptables -I DOCKER-USER -s 10.213.0.0/16 -j ACCEPT && iptables -I DOCKER-USER -d 10.213.0.0/16 -j ACCEPT',
  ],
  [
    'Docker with a rule for one address',
    docker('ip saddr 10.213.0.7 accept'),
    'iptables -I DOCKER-USER -s 10.213.0.0/16 -j ACCEPT && iptables -I DOCKER-USER -d 10.213.0.0/16 -j ACCEPT',
  ],
  [
    'ufw',
    docker('').replaceAll('DOCKER-USER', 'ufw-user-forward'),
    'ufw route allow from 10.213.0.0/16 && ufw route allow to 10.213.0.0/16',
  ],
  [
    'firewalld',
    last('inet', 'firewalld', 'filter_FORWARD', 'reject with icmpx admin-prohibited'),
    'firewall-cmd --permanent --zone=trusted --add-source=10.213.0.0/16 && firewall-cmd --reload',
  ],
  [
    'ip6tables',
    last('ip6', 'filter', 'FORWARD', 'counter packets 1 bytes 2 drop'),
    'ip6tables -I FORWARD -s fd5c:9a27:e1b4:213::/96 -j ACCEPT && ip6tables -I FORWARD -d fd5c:9a27:e1b4:213::/96 -j ACCEPT',
  ],
  [
    'a table of the operator',
    last('inet', 'own', 'fwd', 'drop'),
    'nft insert rule inet own fwd ip saddr 10.213.0.0/16 accept && nft insert rule inet own fwd ip daddr 10.213.0.0/16 accept',
  ],
])('names the command for %s', (_, ruleset, command) => {
  const problem = firewallProblem(ruleset, networks);
  expect(problem).toMatch(
    /^The firewall of this machine drops the packets of isolated apps \(chain /,
  );
  expect(problem?.endsWith(`To allow them, run: ${command}`)).toBe(true);
});

it('ignores IPv6 rules when programs have no IPv6 address', () => {
  const ruleset = last('ip6', 'filter', 'FORWARD', 'drop');
  expect(firewallProblem(ruleset, { ...networks, ip6: undefined })).toBeUndefined();
});

it('passes the firewall of Docker by rules in the chain that Docker leaves to others', () => {
  const rules = dockerPermission(docker(''), networks);
  expect(rules).toBe(
    'insert rule ip filter DOCKER-USER ip saddr 10.213.0.0/16 accept comment "longshore"\n' +
      'insert rule ip filter DOCKER-USER ip daddr 10.213.0.0/16 accept comment "longshore"\n',
  );
});

it('changes no other firewall, and no rule twice', () => {
  const accepted = 'ip saddr 10.213.0.0/16 accept comment "longshore"';
  for (const ruleset of ['', OPEN, last('inet', 'own', 'fwd', 'drop'), docker(accepted)]) {
    expect(dockerPermission(ruleset, networks)).toBe('');
  }
});

it('removes only its own rules from the firewall of Docker', () => {
  const ruleset = `table ip filter { # handle 1
	chain DOCKER-USER { # handle 7
		ip daddr 10.213.0.0/16 accept comment "longshore" # handle 12
		ip saddr 10.0.0.0/8 accept comment "operator" # handle 13
		counter packets 548 bytes 40969 return # handle 8
	}
}`;
  expect(dockerWithdrawal(ruleset)).toEqual(['delete rule ip filter DOCKER-USER handle 12\n']);
});
