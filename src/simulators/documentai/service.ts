import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { type GrpcServer, google } from '../../providers/ocr/documentai/google.ts';

/** Service definition from the vendor's package. */
export async function processorService(): Promise<unknown> {
  const { grpc, loader } = google();
  const protos = createRequire(import.meta.url).resolve(
    '@google-cloud/documentai/build/protos/protos.json',
  );
  const json: unknown = JSON.parse(await readFile(protos, 'utf8'));
  const definition = loader.fromJSON(json, {
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const { documentai } = services.parse(grpc.loadPackageDefinition(definition)).google.cloud;
  return documentai.v1.DocumentProcessorService.service;
}

export function listen(server: GrpcServer, address: string): Promise<number> {
  const { grpc } = google();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

const services = z.object({
  google: z.object({
    cloud: z.object({
      documentai: z.object({
        v1: z.object({ DocumentProcessorService: z.custom<{ service: unknown }>(isService) }),
      }),
    }),
  }),
});

function isService(value: unknown): boolean {
  return typeof value === 'function' && 'service' in value;
}
