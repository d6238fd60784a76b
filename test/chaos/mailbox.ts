import { parseArgs } from 'node:util';
import { runMailbox } from './mailbox/trial.ts';
import { attachmentsIn } from './mailbox/write-mailbox.ts';

/**
 * `npm run chaos:mailbox [-- --messages 100000] [--kills 10]`: sends a generated mailbox through
 * real processes while their workers are killed, and counts what came of it.
 */
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '10' },
  },
});
const [messages, kills] = [Number(values.messages), Number(values.kills)];
const maxMb = 1024;

const result = await runMailbox({ messages, kills, onProgress: (line) => console.error(line) });
console.log(JSON.stringify({ rate: Math.round(messages / result.seconds), ...result }, null, 2));
const wrong = [
  result.messages !== messages && 'not every message is a document',
  result.subjects !== messages && 'a message is missing or there twice',
  result.attachments !== attachmentsIn(messages) && 'an attachment is missing or there twice',
  result.failed > 0 && 'documents failed',
  result.unbalanced !== 0 && 'a ledger is not balanced',
  result.killed !== kills && 'not every kill happened',
  result.largestMb > maxMb && `a process used more than ${maxMb} MB`,
].filter(Boolean);
console.log(wrong.length > 0 ? `wrong: ${wrong.join('; ')}` : 'every message exactly once');
process.exit(wrong.length > 0 ? 1 : 0);
