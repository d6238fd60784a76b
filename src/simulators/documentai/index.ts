import { setMaxListeners } from 'node:events';
import { google } from '../../providers/ocr/documentai/google.ts';
import type { Faults } from '../faults.ts';
import { Tally } from '../tally.ts';
import { type DocumentAiFault, suffer } from './fault.ts';
import { toStatus } from './refusal.ts';
import { askedIn, processRequest, replyTo, type Script } from './reply.ts';
import { listen, processorService } from './service.ts';

export interface DocumentAiSimulatorOptions {
  host?: string;
  /** Defaults to any free port. */
  port?: number;
  pages?: Script;
  faults?: Faults<DocumentAiFault>;
  maxPages?: number;
}

export interface DocumentAiSimulator {
  host: string;
  port: number;
  tally: Tally;
  close(): Promise<void>;
}

/** Simulates OCR of Document AI over gRPC: PDFs by their text layer, other files by the script. */
export async function startDocumentAiSimulator(
  options: DocumentAiSimulatorOptions = {},
): Promise<DocumentAiSimulator> {
  const {
    host = '127.0.0.1',
    pages = new Map(),
    faults = () => undefined,
    maxPages = 15,
  } = options;
  const tally = new Tally();
  const closing = new AbortController();
  // Each delayed call adds a listener.
  setMaxListeners(0, closing.signal);
  const { grpc } = google();
  // Requests contain whole files; the gRPC default is 4 MB.
  const server = new grpc.Server({ 'grpc.max_receive_message_length': 64 * 1024 * 1024 });

  async function answer(call: Call): Promise<object> {
    const request = processRequest.parse(call.request);
    await suffer(faults(tally.count(askedIn(request))), closing.signal);
    return replyTo(request, pages, maxPages);
  }
  server.addService(await processorService(), {
    processDocument(call: Call, respond: Respond) {
      answer(call).then(
        (reply) => respond(null, reply),
        (error: unknown) => respond(toStatus(error)),
      );
    },
  });
  const port = await listen(server, `${host}:${options.port ?? 0}`);
  return {
    host,
    port,
    tally,
    async close() {
      closing.abort();
      server.forceShutdown();
    },
  };
}

type Call = { request: unknown };
type Respond = (error: object | null, reply?: object) => void;
