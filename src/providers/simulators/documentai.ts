import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type GrpcServer, google } from '../ocr/documentai/google.ts';
import { type StatusName, status } from '../ocr/documentai/status.ts';
import { askedIn, processRequest, Refusal, replyTo, type Script } from './documentai/reply.ts';
import type { Faults } from './faults.ts';
import { Tally } from './tally.ts';

export type DocumentAiFault =
  | { kind: 'error'; code: StatusName; message?: string; retryAfter?: string }
  | { kind: 'slow'; ms: number }
  /** Takes the call and never answers. */
  | { kind: 'silent' };

export interface DocumentAiSimulatorOptions {
  host?: string;
  /** Any free port when absent. */
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

/** Document AI over gRPC, as far as reading goes. PDFs are read by their text layer; other files by the script. */
export async function startDocumentAiSimulator(options: DocumentAiSimulatorOptions = {}): Promise<DocumentAiSimulator> {
  const { host = '127.0.0.1', pages = new Map(), faults = () => undefined, maxPages = 15 } = options;
  const tally = new Tally();
  const closing = new AbortController();
  const { grpc } = google();
  // Requests carry whole files; the default of 4 MB is for messages.
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

class Fault extends Refusal {
  readonly retryAfter: string | undefined;
  constructor(code: StatusName, message: string, retryAfter?: string) {
    super(code, message);
    this.retryAfter = retryAfter;
  }
}

async function suffer(fault: DocumentAiFault | undefined, closing: AbortSignal): Promise<void> {
  if (fault?.kind === 'error') throw new Fault(fault.code, fault.message ?? 'Simulated.', fault.retryAfter);
  if (fault?.kind === 'slow') await delay(fault.ms, undefined, { signal: closing });
  if (fault?.kind === 'silent') await once(closing, 'abort');
}

function toStatus(error: unknown): object {
  const metadata = new (google().grpc.Metadata)();
  if (error instanceof Fault && error.retryAfter !== undefined) metadata.set('retry-after', error.retryAfter);
  const code = status[error instanceof Refusal ? error.code : 'INTERNAL'];
  return { code, message: error instanceof Error ? error.message : String(error), metadata };
}

const services = z.object({
  google: z.object({
    cloud: z.object({
      documentai: z.object({ v1: z.object({ DocumentProcessorService: z.custom<{ service: unknown }>(isService) }) }),
    }),
  }),
});

function isService(value: unknown): boolean {
  return typeof value === 'function' && 'service' in value;
}

async function processorService(): Promise<unknown> {
  const { grpc, loader } = google();
  const protos = createRequire(import.meta.url).resolve('@google-cloud/documentai/build/protos/protos.json');
  const json: unknown = JSON.parse(await readFile(protos, 'utf8'));
  const definition = loader.fromJSON(json, { longs: String, enums: String, defaults: true, oneofs: true });
  const { documentai } = services.parse(grpc.loadPackageDefinition(definition)).google.cloud;
  return documentai.v1.DocumentProcessorService.service;
}

function listen(server: GrpcServer, address: string): Promise<number> {
  const { grpc } = google();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}
