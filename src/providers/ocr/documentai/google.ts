import { createRequire } from 'node:module';
import type { DocumentProcessorServiceClient } from '@google-cloud/documentai';

export type ClientOptions = NonNullable<
  ConstructorParameters<typeof DocumentProcessorServiceClient>[0]
>;

export interface Grpc {
  credentials: { createInsecure(): NonNullable<ClientOptions['sslCreds']> };
  ServerCredentials: { createInsecure(): unknown };
  Metadata: new () => { set(key: string, value: string): void };
  Server: new (options: Record<string, number>) => GrpcServer;
  loadPackageDefinition(definition: unknown): unknown;
}

export interface GrpcServer {
  addService(service: unknown, handlers: Record<string, unknown>): void;
  bindAsync(
    address: string,
    credentials: unknown,
    done: (error: Error | null, port: number) => void,
  ): void;
  forceShutdown(): void;
}

interface ProtoLoader {
  fromJSON(json: unknown, options: Record<string, unknown>): unknown;
}

interface AuthLibrary {
  OAuth2Client: new () => NonNullable<ClientOptions['authClient']> & {
    setCredentials(credentials: { access_token: string }): void;
  };
}

/** The client's own copies of gRPC: it checks objects by `instanceof` and rejects other copies. */
export function google(): { grpc: Grpc; loader: ProtoLoader; auth: AuthLibrary } {
  const here = createRequire(import.meta.url);
  const gax = createRequire(here.resolve('google-gax'));
  return {
    grpc: gax('@grpc/grpc-js'),
    loader: gax('@grpc/proto-loader'),
    auth: gax('google-auth-library'),
  };
}
