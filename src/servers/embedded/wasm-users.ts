import type { Duplex } from 'node:stream';

/**
 * Sends the rules of an ACL file over a connection that only we have. Valkey as WebAssembly reads
 * no configuration, so this happens before it listens.
 */
export async function setUsers(connection: Duplex, acl: string): Promise<void> {
  const rules = acl.split('\n').filter((line) => line.startsWith('user '));
  for (const rule of rules) {
    const [, name = '', ...rights] = rule.split(' ');
    connection.write(command('ACL', 'SETUSER', name, 'reset', ...rights));
  }
  let replies = '';
  for await (const bytes of connection) {
    replies += String(bytes);
    const lines = replies.split('\r\n').slice(0, -1);
    const refusal = lines.find((line) => line !== '+OK');
    if (refusal) throw new Error(`Valkey refused the rules of its users: ${refusal}`);
    if (lines.length === rules.length) break;
  }
}

/** In the protocol of Redis. */
function command(...words: string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join('')}`;
}
