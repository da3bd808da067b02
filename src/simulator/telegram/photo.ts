import { badRequest } from './api-error.ts';

/** https://core.telegram.org/bots/api#sendphoto: width and height together, and the longer by the shorter side. */
const MAX_SIDES = 10_000;
const MAX_RATIO = 20;

/** Refuses what the real server cannot make a photo of; the sides are read of PNG alone. */
export function checkPhoto(bytes: Uint8Array): void {
  const head = Buffer.from(bytes.subarray(0, 24));
  const isPng = head.toString('latin1', 1, 4) === 'PNG';
  const isJpeg = head[0] === 0xff && head[1] === 0xd8;
  const isWebp = head.toString('latin1', 8, 12) === 'WEBP';
  if (!isPng && !isJpeg && !isWebp) throw badRequest('IMAGE_PROCESS_FAILED');
  if (!isPng || head.length < 24) return;
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
  if (width + height > MAX_SIDES || ratio > MAX_RATIO) throw badRequest('PHOTO_INVALID_DIMENSIONS');
}
