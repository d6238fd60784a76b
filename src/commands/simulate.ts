import type { Command } from 'commander';
import { untilSignal } from '../lib/until-signal.ts';
import { note } from './note.ts';
import { wholeNumber } from './whole-number.ts';

interface Running {
  /** The variables that point Millrace at the simulator. */
  variables: string[];
  close(): Promise<void>;
}

const simulators = {
  documentai: {
    description: 'simulate Google Document AI',
    async start(port: number): Promise<Running> {
      const { startDocumentAiSimulator } = await import('../simulators/documentai/index.ts');
      const { host, port: bound, close } = await startDocumentAiSimulator({ port });
      const processor = 'projects/simulated/locations/eu/processors/0123456789abcdef';
      return {
        variables: [
          `DOCUMENTAI_PROCESSOR=${processor}`,
          `DOCUMENTAI_ENDPOINT=${host}:${bound}`,
          'DOCUMENTAI_INSECURE=true',
        ],
        close,
      };
    },
  },
  openai: {
    description: 'simulate an OpenAI-compatible model server',
    async start(port: number): Promise<Running> {
      const { startOpenAiSimulator } = await import('../simulators/openai/index.ts');
      const { baseUrl, close } = await startOpenAiSimulator({ port });
      return {
        variables: [
          'OPENAI_API_KEY=simulated',
          `OPENAI_BASE_URL=${baseUrl}`,
          'OPENAI_MODEL=simulated',
        ],
        close,
      };
    },
  },
  manager: {
    description: 'simulate a document manager (generic HTTP contract and paperless-ngx)',
    async start(port: number): Promise<Running> {
      const { startManagerSimulator } = await import('../simulators/manager/index.ts');
      const { url, close } = await startManagerSimulator({ port, polls: 1 });
      return {
        variables: [
          'MILLRACE_OUTGOING_ALLOW=127.0.0.1',
          'MILLRACE_OUTGOING_INSECURE=true',
          `# address: ${url}`,
        ],
        close,
      };
    },
  },
};

/** Local vendors, for trying out configurations and failures without an account. */
export function simulate(program: Command): void {
  const command = program.command('simulate').description('run a local simulator of a vendor');
  for (const [name, { description, start }] of Object.entries(simulators)) {
    command
      .command(name)
      .description(description)
      .option('--port <port>', 'port to listen on; 0 = any free port', wholeNumber, 0)
      .action(async ({ port }: { port: number }) => {
        const stop = untilSignal('SIGINT', 'SIGTERM');
        const { variables, close } = await start(port);
        note(`Simulating ${name} until you stop it. Point Millrace at it with:`);
        process.stdout.write(`${variables.join('\n')}\n`);
        await stop;
        await close();
      });
  }
}
