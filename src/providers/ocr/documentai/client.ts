import type { DocumentProcessorServiceClient, protos } from '@google-cloud/documentai';
import { noAccount } from './failure.ts';
import { type ClientOptions, google } from './google.ts';
import type { DocumentAiSettings, Processor } from './settings.ts';

export type ProcessRequest = protos.google.cloud.documentai.v1.IProcessRequest;

export interface DocumentAiClient {
  process(request: ProcessRequest, timeoutMs: number, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

type Settings = Pick<
  DocumentAiSettings,
  'endpoint' | 'port' | 'transport' | 'plaintext' | 'credentials'
>;
type Cancellable = Promise<unknown[]> & { cancel(): void };

export function openClient(settings: Settings, processor: Processor): DocumentAiClient {
  let opening: Promise<DocumentProcessorServiceClient> | undefined;
  return {
    async process(request, timeoutMs, signal) {
      opening ??= connect(settings, processor).catch((error: unknown) => {
        opening = undefined;
        throw noAccount(error);
      });
      const client = await opening;
      const deadline = AbortSignal.timeout(timeoutMs);
      const either = AbortSignal.any([signal, deadline]);
      either.throwIfAborted();
      // The public method hides `cancel`; without it an abandoned call runs until its deadline.
      const call: Cancellable = client.innerApiCalls.processDocument?.(request, {
        retry: null,
        timeout: timeoutMs,
        otherArgs: {
          headers: { 'x-goog-request-params': `name=${encodeURIComponent(request.name ?? '')}` },
        },
      });
      const [response] = await orAborted(call, either).catch((error: unknown) => {
        if (error !== deadline.reason) throw error;
        throw new Error(`no response within ${timeoutMs} ms`);
      });
      return response;
    },
    async close() {
      const client = await opening;
      opening = undefined;
      await client?.close();
    },
  };
}

/** Loaded lazily: the library is large, and most processes do not need it. */
async function connect(
  settings: Settings,
  processor: Processor,
): Promise<DocumentProcessorServiceClient> {
  const { DocumentProcessorServiceClient } = await import('@google-cloud/documentai');
  const rest = settings.transport === 'rest';
  const client = new DocumentProcessorServiceClient({
    apiEndpoint: settings.endpoint ?? `${processor.location}-documentai.googleapis.com`,
    projectId: processor.project,
    ...(settings.port !== undefined && { port: settings.port }),
    ...(rest && { fallback: true }),
    ...(settings.plaintext &&
      (rest ? { protocol: 'http' } : { sslCreds: google().grpc.credentials.createInsecure() })),
    ...accountOf(settings),
  });
  await client.initialize();
  return client;
}

function accountOf({ credentials, plaintext }: Settings): ClientOptions {
  if (credentials && 'keyFile' in credentials) return { keyFilename: credentials.keyFile };
  // Without credentials the library would query the metadata server of a cloud machine.
  const token = credentials?.accessToken ?? (plaintext ? 'none' : undefined);
  if (token === undefined) return {};
  const authClient = new (google().auth.OAuth2Client)();
  authClient.setCredentials({ access_token: token });
  return { authClient };
}

async function orAborted(call: Cancellable, signal: AbortSignal): Promise<unknown[]> {
  const cancel = () => call.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await call;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
