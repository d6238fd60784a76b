import { HeadObjectCommand, type HeadObjectCommandOutput, type S3Client } from '@aws-sdk/client-s3';
import { isMissing } from './problems.ts';

/** The metadata of an object; undefined if it does not exist. */
export async function find(
  client: S3Client,
  place: { Bucket: string; Key: string },
): Promise<HeadObjectCommandOutput | undefined> {
  try {
    return await client.send(new HeadObjectCommand(place));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
