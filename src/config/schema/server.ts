import { z } from 'zod';
import { hostText, httpUrl, serviceUrl } from './text.ts';

export const serverSchema = z.object({
  /** Anything but loopback asks for the owner's token. */
  host: hostText.default('127.0.0.1'),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65_535).default(2026),
  /** Where the outside reaches this server; webhooks need it. */
  public_url: httpUrl.optional(),
  /** What opens the page from other machines. Absent: made at the first start and printed once. */
  owner_token: z.string().min(8, 'expected at least 8 characters').optional().meta({ secret: true }),
});

export const redisSchema = z.object({ url: serviceUrl(['redis:', 'rediss:']) });

export const databaseSchema = z.object({ url: serviceUrl(['postgres:', 'postgresql:']) });

export const deliverySchema = z.object({
  /** A message that comes out later than this after it was ready says so. */
  late_after_minutes: z.number().positive().max(10_080).default(15),
});

export const logSchema = z.object({ level: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info') });
