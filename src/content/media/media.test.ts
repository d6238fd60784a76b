import { expect, test } from 'vitest';
import { readOffice } from '../../../test/kit/office.ts';
import { findFormat } from '../index.ts';

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (name: string, ...parts: (Buffer | string)[]) => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)));
  return Buffer.concat([u32(content.length + 8), Buffer.from(name), content]);
};

function wav(): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.write('data', 36);
  header.writeUInt32LE(0xffffffff, 40);
  return Buffer.concat([header, Buffer.alloc(24_000)]);
}

function mp4(): Buffer {
  const movie = Buffer.alloc(100);
  movie.writeUInt32BE(1000, 12);
  movie.writeUInt32BE(2500, 16);
  const track = Buffer.alloc(84);
  track.writeUInt16BE(640, 76);
  track.writeUInt16BE(360, 80);
  const codec = Buffer.concat([u32(0), u32(1), u32(86), Buffer.from('avc1'), Buffer.alloc(90)]);
  return Buffer.concat([
    box('ftyp', 'isom', u32(0), 'isom'),
    box(
      'moov',
      box('mvhd', movie),
      box('trak', box('tkhd', track), box('mdia', box('minf', box('stbl', box('stsd', codec))))),
    ),
  ]);
}

/** Frames of 128 kbit/s at 44.1 kHz, one second in all. */
function mp3(): Buffer {
  const frame = Buffer.alloc(16_000);
  for (let at = 0; at + 417 < frame.length; at += 417) frame.writeUInt32BE(0xfffb9064, at);
  return frame;
}

function matroska(): Buffer {
  const element = (id: number[], content: Buffer) =>
    Buffer.concat([Buffer.from([...id, 0x80 | content.length]), content]);
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(1500);
  const info = element([0x15, 0x49, 0xa9, 0x66], element([0x44, 0x89], duration));
  const video = element([0xe0], Buffer.from([0xb0, 0x82, 0x01, 0x40, 0xba, 0x81, 0xf0]));
  const track = element([0xae], Buffer.concat([element([0x86], Buffer.from('V_VP9')), video]));
  const tracks = element([0x16, 0x54, 0xae, 0x6b], track);
  const type = element([0x42, 0x82], Buffer.from('matroska'));
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], type),
    element([0x18, 0x53, 0x80, 0x67], Buffer.concat([info, tracks])),
  ]);
}

test.each([
  ['audio/wav', wav(), { durationSeconds: 1.5, sampleRate: 8000, codec: 'PCM' }],
  ['video/mp4', mp4(), { durationSeconds: 2.5, width: 640, height: 360, codec: 'avc1' }],
  ['audio/mpeg', mp3(), { durationSeconds: 1, sampleRate: 44_100, codec: 'MP3' }],
  ['video/matroska', matroska(), { durationSeconds: 1.5, width: 320, height: 240, codec: 'V_VP9' }],
])('%s has metadata, and no text', async (type, bytes, expected) => {
  const { mediaType, pages, metadata } = await readOffice(bytes);
  expect(mediaType).toBe(type);
  expect(pages).toEqual(['']);
  expect(metadata).toEqual(expected);
});

test('that there is no text is reported', async () => {
  const input = { path: '', mediaType: 'audio/wav', first: 1, last: 1, maxText: 1 };
  const { problems } = (await findFormat('audio/wav')?.text?.(input)) ?? {};
  expect(problems).toMatchObject([{ code: 'TEXT_UNAVAILABLE' }]);
});

test.each([
  ['wav', wav().subarray(0, 30)],
  ['mp4', mp4().subarray(0, 60)],
  ['mkv', matroska().subarray(0, 30)],
])('a %s file that is cut off gives what there is', async (_, bytes) => {
  expect((await readOffice(bytes)).metadata).not.toHaveProperty('durationSeconds');
});
